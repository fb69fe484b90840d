import type { MediaDeletion, MediaEvent } from '../../media/media.ts'
import { counted, quoted, sentence } from './wording.ts'

export function describeMedia(event: MediaEvent): string {
  switch (event.type) {
    case 'UploadStarted': {
      const { fileName, contentType, sizeBytes, expiresAt } = event.data
      const announced = `${contentType}, ${counted(sizeBytes, 'byte')}, until ${expiresAt}`
      return sentence(`The upload of a file was started (${announced})`, quoted(fileName))
    }
    case 'UploadCompleted':
      return `The upload is complete. The file is deleted at ${event.data.unusedUntil} if no post has used it by then.`
    case 'MediaEdited': {
      const { altText, keep } = event.data
      const kept = keep === undefined ? [] : [keep ? 'The file is kept until it is deleted.' : NO_LONGER_KEPT]
      const described =
        altText === undefined ? [] : [altText ? sentence('Its alt text is', quoted(altText)) : NO_ALT_TEXT]
      return [...described, ...kept].join(' ') || 'The file was edited.'
    }
    case 'UploadFailed':
      return sentence('The upload failed', event.data.error)
    case 'MediaRelayed': {
      const { contentType, sizeBytes, expiresAt } = event.data
      return `A file (${contentType}, ${counted(sizeBytes, 'byte')}) is stored until ${expiresAt}, for a platform to fetch it.`
    }
    case 'MediaPinned': {
      const { contentType, sizeBytes, postId } = event.data
      return sentence(`A file (${contentType}, ${counted(sizeBytes, 'byte')}) is kept for the scheduled post ${postId}`)
    }
    case 'MediaDeleted':
      return DELETED[event.data.reason]
    case 'MediaFilesDeleted':
      return 'The file was deleted from the media store.'
  }
}

const NO_ALT_TEXT = 'Its alt text was removed.'
const NO_LONGER_KEPT = 'The file may make room for newer media in the workspace.'
const DELETED: Readonly<Record<MediaDeletion, string>> = {
  requested: 'The file was deleted.',
  expired: 'The file is no longer needed, or the upload expired before it was complete.',
  unused: 'The file was deleted because no post had used it.',
  room: 'The file was deleted to make room for newer media in the workspace (MEDIA_STORE_MAX).',
}
