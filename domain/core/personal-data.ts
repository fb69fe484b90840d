import * as z from 'zod'
import type { EventSchemas } from './event.ts'

/** What every erased text reads. */
export const ERASED = '[erased]'

/** The personal data of its stream was erased. `publicEvents`: the ids of the public events that contained it. */
export const personalDataErased = z.object({ publicEvents: z.array(z.string()) })

/** Whose personal data a stream holds: the owner of the workspace, or the author of a comment. */
export interface Subject {
  readonly workspaceId: string
  /** Or the competitor. */
  readonly accountId?: string
  /** The id of the comment's stream. Replies and deliveries are erased together with their comment. */
  readonly commentId?: string
  /** The display name. */
  readonly author?: string
  /** The platform's id. */
  readonly authorId?: string | undefined
}

/** The personal data of one kind of stream (decision 46). */
export type PersonalData = StreamData | WorkspaceData

interface Fields {
  /** The personal fields by event type, each with the value that replaces it once its key is gone. */
  readonly erased: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Encrypted with a key per stream, so that each can be erased alone. */
export interface StreamData extends Fields {
  /** The type of the event with which a stream begins, or begins again after it was erased. */
  readonly begins: string
  /** Undefined when a stream that begins with this event holds none. @param id the stream's */
  subjectOf(begin: object, id: string): Subject | undefined
}

/**
 * Encrypted with the key of the workspace that the events name (`workspaceId`), and erased together with it. An event that names
 * none stays as it is.
 */
export interface WorkspaceData extends Fields {
  readonly key: typeof WORKSPACE_CATEGORY
  /** Types whose events have a key each instead, because they are erased by their age. */
  readonly alone?: readonly string[]
}

/** Whose key an event of one of these types has: no stream, but named like one. */
export function keyOfEvent(stream: string, eventId: string): string {
  return `${stream}/${eventId}`
}

/** The category of the streams of workspaces, whose keys these are. */
export const WORKSPACE_CATEGORY = 'workspace'

/** The type of `PersonalData.erased` for a set of event schemas. */
export type ErasedFields<S extends EventSchemas> = { readonly [T in keyof S]?: Partial<z.infer<S[T]>> }
