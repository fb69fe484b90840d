import type { Tool } from '@modelcontextprotocol/server'
import type * as z from 'zod'
import { jsonSchemaOf } from '../../http/json-schema.ts'
import type { Arguments } from '../tools.ts'

/** What a tool of the default profile does its work with. */
export interface TaskWork {
  /** Calls an endpoint of the API as the caller, by its tool's name. @throws Refusal as the endpoint does, also for its scope */
  api<Body>(operationId: string, given?: Arguments): Promise<Body>
  /** Whether the caller's scopes allow it. */
  may(operationId: string): boolean
  /** The workspace's: an IANA name. */
  readonly timezone: string
}

/** A tool of the default profile: something that people who publish do, by one or several endpoints. */
export interface Task<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  /** The endpoints that it is for. The tool is listed if the caller may call one of them. */
  readonly uses: readonly string[]
  /** Those that it looks at besides: the caller has to be allowed all of them. */
  readonly needs?: readonly string[]
  /** Those that are not the protocol's defaults. */
  readonly hints: NonNullable<Tool['annotations']>
  run(given: z.output<Input>, work: TaskWork): Promise<object>
}

/** Type-checks a task against its input, then erases the type: what it gets is parsed. */
export function task<Input extends z.ZodObject>(definition: Task<Input>): Task {
  return definition as unknown as Task
}

export function definitionOf({ name, title, description, input, hints }: Task): Tool {
  const { properties = {}, required } = jsonSchemaOf(input, 'input').schema as Partial<Tool['inputSchema']>
  return {
    name,
    description,
    inputSchema: { type: 'object', properties, ...(required && { required }) },
    annotations: { title, ...hints },
  }
}

export const READS = { readOnlyHint: true, openWorldHint: false }
export const ADDS = { destructiveHint: false }
