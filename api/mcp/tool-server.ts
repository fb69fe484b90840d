import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError, Server } from '@modelcontextprotocol/server'
import { API_VERSION } from '../openapi/openapi.ts'
import { guided } from './tasks/guides.ts'
import type { Profile, ToolCaller, ToolError } from './profile.ts'

/** A server for a single message. It is stateless, so that any process can take the next one. */
export function toolServer(profile: Profile, by: ToolCaller, now: number): Server {
  const { caller, requestId, refused, refusal } = by
  const hasGuides = profile.guides.length > 0
  const server = new Server(
    { name: 'fanfare', title: 'Fanfare', version: API_VERSION },
    {
      capabilities: { tools: {}, ...(hasGuides && { prompts: {}, resources: {} }) },
      instructions: profile.instructions,
      // A key's scopes never change, those of an app only with the role of its person, and the tools with the version.
      cacheHints: { 'tools/list': { ttlMs: 300_000, cacheScope: 'private' } },
    },
  )
  server.setRequestHandler('tools/list', async () => {
    if (refused) throw protocolError(refusal(refused))
    return { tools: [...profile.definitions(caller.scopes)] }
  })
  server.setRequestHandler('tools/call', async ({ params }) => {
    try {
      if (refused) throw refused
      return await profile.call(params.name, params.arguments ?? {}, by)
    } catch (error) {
      const { code, message, ...more } = profile.shown(refusal(error))
      return toolError({ code, message, requestId, ...more })
    }
  })
  if (hasGuides) setGuides(server, profile, by, now)
  return server
}

/** What hosts show to their users: prompts and resources. A resource is what a tool answers. */
function setGuides(server: Server, profile: Profile, by: ToolCaller, now: number): void {
  const { guides, readings } = profile
  const named = profile.definitions(by.caller.scopes).map(({ name }) => name)
  const allowed = readings.filter(({ tool }) => named.includes(tool))
  server.setRequestHandler('prompts/list', async () => ({ prompts: guides.map(({ prompt }) => prompt) }))
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const guide = guides.find(({ prompt }) => prompt.name === params.name)
    if (!guide)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No such prompt: ${params.name.slice(0, 100)}.`)
    return guided(guide, params.arguments ?? {})
  })
  server.setRequestHandler('resources/list', async () => ({ resources: allowed.map(({ resource }) => resource) }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    const reading = allowed.find(({ resource }) => resource.uri === uri)
    if (!reading) throw new ResourceNotFoundError(uri)
    try {
      if (by.refused) throw by.refused
      const { content } = await profile.call(reading.tool, reading.given(now), by)
      const [text] = content
      return { contents: [{ uri, mimeType: 'application/json', text: text?.type === 'text' ? text.text : '' }] }
    } catch (error) {
      throw protocolError(profile.shown(by.refusal(error)))
    }
  })
}

/** As text only: structured content must match the schema of success. */
function toolError(error: ToolError & { readonly requestId: string }) {
  return { isError: true, content: [{ type: 'text' as const, text: JSON.stringify({ error }) }] }
}

function protocolError({ code, message, retryAfterS }: ToolError): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InternalError, message, { code, retryAfterS })
}
