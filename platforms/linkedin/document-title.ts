import { uploadedFileIn } from '../../domain/core/upload.ts'
import { someMedia } from '../kit/checked-media.ts'
import type { PublishJob } from '../kit/platform.ts'

/** LinkedIn's own editor takes no longer titles. */
const LONGEST = 58

type Titled = Pick<PublishJob, 'text' | 'options' | 'mediaUrl' | 'mediaType' | 'media'>

/** The title that LinkedIn shows of a post: a document always has one. */
export function titleOf(post: Titled): string | undefined {
  const { title, documentTitle: given = title } = post.options ?? {}
  if (typeof given === 'string') return given
  return post.mediaType === 'document' ? documentTitle(post) : undefined
}

/** The title of a document that the post gives none: LinkedIn shows one above its pages. */
export function documentTitle(job: Titled): string {
  const [line = ''] = job.text.trim().split('\n', 1)
  return shortened(line.trim()) || shortened(nameIn(someMedia(job)[0].url)) || 'Document'
}

/** What somebody has called the file: in the media store, names are long random texts. */
function nameIn(url: string): string {
  if (uploadedFileIn(url) || !URL.canParse(url)) return ''
  const name = new URL(url).pathname.split('/').at(-1) ?? ''
  return decoded(name).replace(/\.\w{2,5}$/, '')
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Without a word that is cut in two, unless there is no other. */
function shortened(text: string): string {
  const characters = [...text]
  if (characters.length <= LONGEST) return text
  const cut = characters.slice(0, LONGEST - 1).join('')
  const end = cut.lastIndexOf(' ')
  return `${end > 0 ? cut.slice(0, end) : cut}…`
}
