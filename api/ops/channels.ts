import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { confirmChannel, removeChannel } from '../../commands/channel.ts'
import { handle, load, type CommandDeps } from '../../commands/handle.ts'
import { channel, isLiveChannel, type LiveChannel } from '../../domain/notification/channel.ts'
import { Refusal } from '../../domain/core/errors.ts'
import type { Vault } from '../../infra/postgres/vault.ts'
import type { Seen } from '../../projections/engine/seen.ts'
import { channelOfToken } from '../../infra/runtime/channel-token.ts'
import type { Admission } from '../http/admission.ts'
import { otherMethods } from '../http/methods.ts'
import { answerPage, html } from '../http/page.ts'

const MAX_BODY_BYTES = 1024
const params = z.object({ token: z.string().max(200) })

/**
 * `/channels/<token>`: the page of the link in a notification, for people who need not be able to sign in. They confirm the
 * address, or unsubscribe. A mail program unsubscribes with one POST (RFC 8058); a GET changes nothing, because programs that
 * look for viruses open links.
 */
export function channelPages(
  app: FastifyInstance,
  {
    secret,
    admission,
    ...deps
  }: CommandDeps & {
    /** The derivation secret. */
    readonly secret: Buffer
    readonly vault: Pick<Vault, 'remove'>
    readonly seen: Pick<Seen, 'waitFor'>
    readonly admission: Pick<Admission, 'admit'>
  },
): void {
  app.removeAllContentTypeParsers()
  // What a form or a mail program sends says nothing that the path does not.
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, async () => undefined)

  const found = async (request: FastifyRequest, reply: FastifyReply) => {
    await admission.admit(request, reply)
    reply.header('cache-control', 'no-store')
    const { token = '' } = params.safeParse(request.params).data ?? {}
    const id = channelOfToken(secret, token)
    const state = id === undefined ? undefined : await load(deps.log, channel, id)
    return { token, id: id ?? '', channel: state && isLiveChannel(state) ? state : undefined }
  }
  const act = (path: string, step: 'confirm' | 'unsubscribe', done: string) => {
    app.post(path, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
      const { id, channel: known } = await found(request, reply)
      if (!known) return gone(reply)
      const cause = {
        commandId: `${step} ${id}`,
        actor: { kind: 'reactor', id: 'channel-link' },
        correlationId: id,
      } as const
      const handled = await handle(deps, channel, id, cause, (state) =>
        step === 'confirm' ? confirmChannel(state) : removeChannel(state, 'unsubscribed'),
      ).catch((error: unknown) => {
        // Somebody else was faster, with the same result.
        if (!(error instanceof Refusal)) throw error
      })
      // What the page says is true from now on.
      if (handled?.position !== undefined) await deps.seen.waitFor(handled.position)
      if (step === 'unsubscribe') await deps.vault.remove(id)
      return answerPage(reply, 200, done, html`<p>${known.address} ${AFTER[step]}</p>`)
    })
  }

  app.get('/channels/:token', async (request, reply) => {
    const { token, channel: known } = await found(request, reply)
    return known ? settingsPage(reply, token, known) : gone(reply)
  })
  act('/channels/:token/confirm', 'confirm', 'Confirmed')
  // The URL of the page and that of the header List-Unsubscribe are the same.
  act('/channels/:token', 'unsubscribe', 'Unsubscribed')
  otherMethods(app, '/channels/:token/confirm', ['POST'])
  otherMethods(app, '/channels/:token', ['GET', 'POST'])
}

const AFTER = {
  confirm: 'receives notifications from now on.',
  unsubscribe: 'receives no more notifications.',
}

function gone(reply: FastifyReply): FastifyReply {
  return answerPage(reply, 404, 'Not found', html`<p>Nothing is sent to this address any longer.</p>`)
}

function settingsPage(reply: FastifyReply, token: string, { address, status }: LiveChannel): FastifyReply {
  const confirm = html`<p>Do you want to receive notifications from Fanfare at ${address}?</p>
    <form method="post" action="/channels/${token}/confirm"><button>Confirm</button></form>`
  const unsubscribe = html`<p>${address} receives notifications from Fanfare.</p>
    <form method="post" action="/channels/${token}"><button>Unsubscribe</button></form>`
  return answerPage(reply, 200, 'Notifications', status === 'unconfirmed' ? confirm : unsubscribe)
}
