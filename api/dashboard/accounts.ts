import * as z from 'zod'
import { account, AUTOMATION_MODES, LONGEST_INSTRUCTION, NO_AUTOMATION } from '../../domain/account/account.ts'
import type { Connectable } from '../../domain/account/account-connection.ts'
import { CAPABILITIES } from '../../domain/account/capability.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { PLATFORM_KEYS, type PlatformKey } from '../../domain/core/platform.ts'
import { text } from '../../domain/core/text.ts'
import { setAutomation } from '../../commands/set-automation.ts'
import { setBackgroundReading } from '../../commands/set-background-reading.ts'
import { setPostDefaults } from '../../commands/set-post-defaults.ts'
import { findAccount } from '../../projections/models/accounts.ts'
import { parseBaseUrl } from '../../infra/runtime/base-url.ts'
import { causeOf } from '../http/cause.ts'
import { backgroundReadingSchema, shownReading } from '../kit/background-reading.ts'
import { decider } from '../kit/decide.ts'
import { owned } from '../kit/owned.ts'
import { checkedDefaults, postDefaultsSchema } from '../kit/post-defaults.ts'
import { route, type AnyRoute, type Caller } from '../http/route.ts'
import { check } from '../http/validation.ts'
import type { DashboardServices } from './services.ts'

const TAG = 'Accounts'
const LONGEST_SECRET = 10_000
const MOST_FIELDS = 50
const idParams = z.object({ id: text(100) })
const credentials = z
  .record(text(100), text(LONGEST_SECRET), { error: 'must be an object of strings' })
  .refine((fields) => Object.keys(fields).length <= MOST_FIELDS, { error: `has more than ${MOST_FIELDS} fields` })
const platform = z.enum(PLATFORM_KEYS, { error: `must be one of ${PLATFORM_KEYS.join(', ')}` })
const asked = {
  platform,
  label: text(100).min(1).optional(),
  baseUrl: text(2000)
    .transform((given, context) => {
      const parsed = parseBaseUrl(given)
      if ('url' in parsed) return parsed.url
      context.addIssue({ code: 'custom', message: parsed.wrong })
      return z.NEVER
    })
    .optional(),
}
const connectBody = z.object({
  ...asked,
  credentials,
  accountId: text(100)
    .optional()
    .describe('The account to connect again: the credentials must be for no other. It keeps its label and server.'),
})
const consentBody = z.object({
  ...asked,
  credentials: credentials.default({}),
  login: text(100)
    .optional()
    .describe(
      'Which of the `logins` of the platform to use, where it has several. Default: the first that has an app.',
    ),
  capabilities: z
    .array(z.enum(CAPABILITIES, { error: `must be one of ${CAPABILITIES.join(', ')}` }))
    .max(CAPABILITIES.length)
    .optional()
    .describe('What the owner is asked to allow; publishing is always included. Default: all that the platform has.'),
})
const automationSchema = z.object({ mode: z.enum(AUTOMATION_MODES), instruction: z.string() })
const automationBody = z.object({
  mode: z.enum(AUTOMATION_MODES, { error: `must be one of ${AUTOMATION_MODES.join(', ')}` }),
  instruction: text(LONGEST_INSTRUCTION).optional(),
})

/** Account connection and automation, which are otherwise available only on the command line. */
export function accountAdminRoutes(services: DashboardServices): readonly AnyRoute[] {
  const { db, connection, seen } = services
  const decide = decider(services, account)
  const known = new Map(connection.platforms.map((platform) => [platform.key, platform]))
  const facts = (key: PlatformKey): Connectable => {
    const found = known.get(key)
    if (!found) throw new Error(`unknown platform ${key}`)
    return found
  }
  const ownOf = async (id: string, caller: Caller) => owned(await findAccount(db, id), caller, 'account')

  return [
    route({
      method: 'POST',
      path: '/accounts',
      operationId: 'connectAccount',
      summary: 'Connect an account with its credentials',
      tag: TAG,
      scope: 'accounts:write',
      body: connectBody,
      answer: {
        status: 201,
        description: 'Connected. An account that was connected before keeps its id.',
        schema: z.object({ id: z.string(), platform, label: z.string() }),
      },
      handle: async (request) => {
        const { platform } = request.body
        const given = checkedCredentials(facts(platform).credentials, request.body.credentials)
        const { workspaceId } = request.caller
        const { accountId } = request.body
        const { baseUrl } = accountId === undefined ? {} : await ownOf(accountId, request.caller)
        const account = { baseUrl: baseUrl ?? undefined, ...request.body, workspaceId, credentials: given }
        const { id, label, position } = await connection.connect(account, causeOf(request, request.work))
        if (position !== undefined) await seen.waitFor(position)
        return { status: 201, body: { id, platform, label } }
      },
    }),

    route({
      method: 'POST',
      path: '/accounts/authorizations',
      operationId: 'askForConsent',
      summary: 'Start connecting an account in a browser',
      tag: TAG,
      scope: 'accounts:write',
      body: consentBody,
      answer: {
        status: 201,
        description: 'The URL to open in a browser. The browser returns to /accounts.',
        schema: z.object({ url: z.string() }),
      },
      handle: async (request) => {
        const { platform, credentials } = request.body
        mustBeAskable(facts(platform), credentials)
        const account = { ...request.body, workspaceId: request.caller.workspaceId }
        return { status: 201, body: { url: await connection.askConsent(account, causeOf(request, request.work)) } }
      },
    }),

    route({
      method: 'DELETE',
      path: '/accounts/{id}',
      operationId: 'disconnectAccount',
      summary: 'Disconnect an account and delete its credentials',
      tag: TAG,
      scope: 'accounts:write',
      params: idParams,
      answer: { status: 204, description: 'Disconnected.' },
      handle: async (request) => {
        const { id } = request.params
        await ownOf(id, request.caller)
        const { position } = await connection.disconnect(id, causeOf(request, id))
        if (position !== undefined) await seen.waitFor(position)
        return { status: 204 }
      },
    }),

    route({
      method: 'PUT',
      path: '/accounts/{id}/background-reading',
      operationId: 'setBackgroundReading',
      summary: 'Switch the scheduled reading of comments and metrics on or off',
      tag: TAG,
      scope: 'accounts:write',
      params: idParams,
      body: z.object({ isOn: z.boolean({ error: 'must be true or false' }) }),
      answer: { status: 200, description: 'The current setting.', schema: backgroundReadingSchema },
      handle: async (request) => {
        const { id } = request.params
        const row = await ownOf(id, request.caller)
        const { isOn } = request.body
        await decide(request, id, (state) => setBackgroundReading(state, isOn))
        return { status: 200, body: shownReading({ ...row, readsInBackground: isOn }, services.costsOf) }
      },
    }),

    route({
      method: 'PUT',
      path: '/accounts/{id}/post-defaults',
      operationId: 'setPostDefaults',
      summary: 'Set what posts of an account have that do not set it in platformOptions',
      tag: TAG,
      scope: 'accounts:write',
      params: idParams,
      body: z.record(text(100), z.unknown(), { error: 'must be an object' }),
      answer: { status: 200, description: 'The current setting.', schema: postDefaultsSchema },
      handle: async (request) => {
        const { id } = request.params
        const { platform } = await ownOf(id, request.caller)
        const options = checkedDefaults(facts(platform), request.body, 'body')
        await decide(request, id, (state) => setPostDefaults(state, options))
        return { status: 200, body: options }
      },
    }),

    route({
      method: 'GET',
      path: '/accounts/{id}/automation',
      operationId: 'getAutomation',
      summary: 'Get how new comments are handled, with the AI instruction',
      tag: TAG,
      scope: 'accounts:read',
      params: idParams,
      answer: { status: 200, description: 'The current setting.', schema: automationSchema },
      handle: async ({ params, caller }) => {
        const { mode, instruction } = (await ownOf(params.id, caller)).automation
        return { status: 200, body: { mode, instruction } }
      },
    }),

    route({
      method: 'PUT',
      path: '/accounts/{id}/automation',
      operationId: 'setAutomation',
      summary: 'Set how new comments are handled',
      tag: TAG,
      scope: 'accounts:write',
      params: idParams,
      body: automationBody,
      answer: {
        status: 200,
        description: 'The current setting.',
        schema: automationSchema,
      },
      handle: async (request) => {
        const { id } = request.params
        await ownOf(id, request.caller)
        const { mode, instruction } = request.body
        const change = { mode, ...(instruction !== undefined && { instruction }) }
        const state = await decide(request, id, (state) => setAutomation(state, change))
        const now = 'automation' in state ? state.automation : NO_AUTOMATION
        return { status: 200, body: { mode: now.mode, instruction: now.instruction } }
      },
    }),
  ]
}

/** @throws Refusal naming what is missing */
function mustBeAskable({ key, consent, credentials }: Connectable, given: Readonly<Record<string, string>>): void {
  if (consent.kind === 'unconfigured' && given['clientId'] === undefined)
    throw new Refusal('failed_precondition', consent.missing)
  if (consent.kind === 'none') {
    throw new Refusal('failed_precondition', `${key} cannot be connected in a browser. Pass its credentials instead.`)
  }
  const asksFor = consent.kind === 'ready' ? consent.asksFor : []
  const missing = asksFor.find((field) => given[field] === undefined)
  if (missing !== undefined)
    throw new Refusal('invalid_request', `credentials.${missing} is required to connect in a browser`)
  checkedCredentials(credentials.partial(), given)
}

/** @throws Refusal naming the field, as `credentials.appPassword` */
function checkedCredentials(schema: z.ZodObject, credentials: Readonly<Record<string, string>>) {
  const checked = check(z.object({ credentials: schema }), { credentials }, 'body')
  return z.record(z.string(), z.string()).parse(checked.credentials)
}
