import * as z from 'zod'
import { text } from '../../domain/core/text.ts'
import { namedOptions } from '../kit/named-options.ts'
import { webUrl } from '../kit/web-url.ts'

export const digits = z.string().regex(/^\d+$/, 'must be the numeric id from Pinterest')

/** Pinterest counts code points. */
const atMost = (characters: number) =>
  text(2 * characters).refine((value) => [...value].length <= characters, {
    error: `must have at most ${characters} characters`,
  })

const destination = {
  boardId: digits.describe('ID of the board that the Pin goes to.'),
  boardSectionId: digits.optional().describe('ID of a section of that board.'),
}

/** What one Pin has of its own. What is absent is as the account has it. */
export const pinOptions = namedOptions({
  ...destination,
  boardId: destination.boardId.optional(),
  link: webUrl.optional().describe('URL that the Pin links to.'),
  title: atMost(100).min(1).optional().describe('Title of the Pin. Default: the first line of the caption.'),
  altText: atMost(500).min(1).optional().describe('Describes the image to people who cannot see it.'),
}).refine(({ boardId, boardSectionId }) => boardId !== undefined || boardSectionId === undefined, {
  path: ['boardId'],
  error: 'is required with boardSectionId',
})

/** Where the Pins of an account go that name no board. */
export const pinDefaults = namedOptions(destination)
