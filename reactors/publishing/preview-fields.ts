import type { PreviewProblem, PreviewRequest } from '../../domain/post/post-preview.ts'
import { aboutPart } from '../../platforms/kit/chain-rules.ts'
import type { Content } from '../../platforms/kit/checked-media.ts'

type Sentences = readonly string[]

/** Says which field of a request each problem on an account is about, as in `error.details`. */
export function fieldsOf(
  request: PreviewRequest,
  { platform, accountId }: { readonly platform: string; readonly accountId: string },
) {
  const isChain = request.mediaType === 'text' || request.chain !== undefined
  const names = isChain
    ? { text: 'parts[0].text', overrides: 'parts[0].textOverrides', media: 'parts[0].media' }
    : { text: 'caption', overrides: 'captionOverrides', media: 'media' }
  const text = Object.hasOwn(request.captionOverrides, platform) ? `${names.overrides}.${platform}` : names.text
  const paths = { selections: `selections.${platform}`, media: names.media }
  const option = (name: string) =>
    request.accountOptions?.[accountId]?.[name] === undefined
      ? `platformOptions.${platform}.${name}`
      : `accountOptions.${accountId}.${name}`
  const about = (field: keyof typeof paths, sentences: Sentences): readonly PreviewProblem[] =>
    sentences.map((message) => ({ path: paths[field], message }))

  return {
    about,
    aboutParts: (sentences: Sentences): readonly PreviewProblem[] =>
      sentences.map((message) => {
        const index = (request.chain ?? []).findIndex((_, at) => message.startsWith(aboutPart(at, '')))
        return { path: index < 0 ? 'parts' : `parts[${index + 1}]`, message }
      }),
    /**
     * Each broken rule is about the field without which it would not be broken.
     *
     * @param broken the rules that the post breaks when one of its fields is another
     */
    pathOf: (post: Content, broken: (other: Content) => Sentences) => {
      const { options = {}, ...others } = post
      const without: readonly (readonly [string, Content])[] = [
        [text, { ...post, text: 'a' }],
        ['firstComment', { ...post, firstComment: undefined }],
        ...Object.keys(options).map((name) => {
          const { [name]: _, ...left } = options
          return [option(name), { ...others, options: left }] as const
        }),
      ]
      return (sentence: string) => without.find(([, other]) => !broken(other).includes(sentence))?.[0] ?? paths.media
    },
  }
}
