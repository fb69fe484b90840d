import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import type { ApiError } from '../http/error-answer.ts'
import type { Caller, RouteAnswer } from '../http/route.ts'
import type { RouteCall } from '../http/run-route.ts'
import type { Guide, Reading } from './tasks/guides.ts'
import type { ApiTool, Arguments } from './tools.ts'

/** An error in the API's terms. */
export type ToolError = Omit<ApiError, 'status'> & { readonly retryAfterS?: number | undefined }

/** The caller, the request, and what runs an endpoint. */
export interface ToolCaller {
  readonly caller: Caller
  readonly requestId: string
  run(tool: ApiTool, call: RouteCall): Promise<RouteAnswer & { readonly replayed: boolean }>
  /** Logs the error when it is the service's fault. */
  refusal(error: unknown): ToolError
  /** Why none of the tools can be called, such as a rate limit. */
  readonly refused?: Error | undefined
}

/** Which tools a client has, and how they answer. */
export interface Profile {
  /** To the model, for the tools as a whole. */
  readonly instructions: string
  /** The tools that these scopes allow. */
  definitions(scopes: Caller['scopes']): readonly Tool[]
  /** @throws anything that `ToolCaller.refusal` takes */
  call(name: string, given: Arguments, by: ToolCaller): Promise<CallToolResult>
  /** What hosts can show or attach by themselves, and what their users can ask for. */
  readonly readings: readonly Reading[]
  readonly guides: readonly Guide[]
  /** The error as a client of the profile reads it. */
  shown(error: ToolError): ToolError
}
