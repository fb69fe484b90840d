import { z } from 'zod'
import type { EventSchemas } from './event.ts'

/** What every erased text reads. */
export const ERASED = '[erased]'

/** The personal data of its stream was erased. `publicEvents`: the ids of the public events that contained it. */
export const personalDataErased = z.object({ publicEvents: z.array(z.string()) })

/** Whose personal data a stream holds: the owner of the workspace, or the author of a comment. */
export interface Subject {
  readonly workspaceId: string
  readonly accountId?: string
  /** The id of the comment's stream. Replies and deliveries are erased together with their comment. */
  readonly commentId?: string
  /** The display name. */
  readonly author?: string
  /** The platform's id. */
  readonly authorId?: string | undefined
}

/** The personal data of one kind of stream. Each stream's is encrypted with its own key (decision 46). */
export interface PersonalData {
  /** The personal fields by event type, each with the value that replaces it once its key is gone. */
  readonly erased: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** The type of the event with which a stream begins, or begins again after it was erased. */
  readonly begins: string
  /** Undefined when a stream that begins with this event holds none. @param id the stream's */
  subjectOf(begin: object, id: string): Subject | undefined
}

/** The type of `PersonalData.erased` for a set of event schemas. */
export type ErasedFields<S extends EventSchemas> = { readonly [T in keyof S]?: Partial<z.infer<S[T]>> }
