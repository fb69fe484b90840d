import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { isoTime } from '../../../infra/runtime/clock.ts'
import type { LedgerAccount, LedgerPost } from '../ledger.ts'
import type { StandInRefusal } from '../stand-in-refusal.ts'
import type { StandInDeps } from '../stand-in.ts'
import { answer } from './answer.ts'
import { mustBeImage } from './image.ts'
import { newPost, summaryEdit } from './new-post.ts'
import { pageOf, pageQuery } from './page.ts'
import { digits, locationsOf, placeOf } from './places.ts'
import { decode, decodeQuery, invalid, NAMED } from './refusal.ts'
import { scriptOf } from './script.ts'
import { authenticate } from './tokens.ts'

const listQuery = z.strictObject(pageQuery(20, 100))

const detailsSchema = z.object({
  languageCode: z.string().optional(),
  summary: z.string().optional(),
  /** ISO 8601 UTC. */
  processedAt: z.string(),
  listedFrom: z.string(),
  topic: z.looseObject({ topicType: z.string() }),
  ends: z.enum(['LIVE', 'REJECTED']),
})

const errors: Readonly<Record<string, StandInRefusal>> = NAMED

/** `POST` and `GET /v4/accounts/{id}/locations/{id}/localPosts`. As at Google, posting the same twice makes two posts. */
export function registerPosts(app: FastifyInstance, deps: StandInDeps): void {
  const { ledger, clock } = deps
  const path = '/v4/accounts/:account/locations/:location/localPosts'
  interface Parent {
    Params: { account: string; location: string }
  }
  interface Child {
    Params: Parent['Params'] & { post: string }
  }

  app.post<Parent>(path, async (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const parent = mustOwn(account, request.params)
    const { languageCode, summary, media, ...topic } = decode(newPost, request.body)
    const [{ mediaFormat, sourceUrl } = { mediaFormat: 'VIDEO', sourceUrl: '' }] = media
    if (mediaFormat === 'VIDEO') throw NAMED.video
    const { error, ends, processingS, listedAfterS } = scriptOf(sourceUrl)
    if (error !== undefined) throw errors[error] ?? invalid(`The sandbox has no error ${error}.`)
    await mustBeImage(sourceUrl)
    return answer(reply, account, deps, 'publish', () => {
      const now = clock.now()
      const post: LedgerPost = {
        id: `${parent}/localPosts/${digits(deps.ids)}`,
        platform: 'googlebusiness',
        accountId: account.externalId,
        caption: summary ?? '',
        mediaUrl: sourceUrl,
        mediaType: 'image',
        createdAt: isoTime(now),
        details: {
          languageCode,
          summary,
          processedAt: isoTime(now + processingS * 1_000),
          listedFrom: isoTime(now + listedAfterS * 1_000),
          ends,
          topic,
        },
      }
      ledger.addPost(post)
      return { status: 200, body: shown(post, deps) }
    })
  })

  app.get<Parent>(path, (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const parent = mustOwn(account, request.params)
    const posts = ledger
      .posts('googlebusiness', { accountId: account.externalId })
      .toReversed()
      .filter(({ id }) => id.startsWith(`${parent}/`))
      .filter(({ details }) => Date.parse(detailsSchema.parse(details).listedFrom) <= clock.now())
      .map((post) => shown(post, deps))
    return reply.send(pageOf('localPosts', posts, decodeQuery(listQuery, request.query)))
  })

  const mustFind = (account: LedgerAccount, params: Child['Params']): LedgerPost => {
    const post = ledger.post('googlebusiness', `${mustOwn(account, params)}/localPosts/${params.post}`)
    if (post?.accountId !== account.externalId) throw NAMED.missing
    return post
  }

  app.patch<Child>(`${path}/:post`, (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    const post = mustFind(account, request.params)
    decodeQuery(z.strictObject({ updateMask: z.literal('summary') }), request.query)
    const { summary } = decode(summaryEdit, request.body)
    return answer(reply, account, deps, 'edit', () => {
      const edited = { ...post, caption: summary ?? '', details: { ...post.details, summary } }
      ledger.replacePost(edited)
      return { status: 200, body: shown(edited, deps) }
    })
  })

  app.delete<Child>(`${path}/:post`, (request, reply) => {
    const account = authenticate(request.headers.authorization, deps)
    ledger.removePost('googlebusiness', mustFind(account, request.params).id)
    return reply.send({})
  })
}

/**
 * @returns the location's full name
 * @throws StandInRefusal 403
 */
function mustOwn(account: LedgerAccount, { account: under, location }: { account: string; location: string }): string {
  const parent = `accounts/${under}/locations/${location}`
  const [business = ''] = placeOf(account.externalId).split('/locations/')
  const own = locationsOf(account).map(({ name }) => `${business}/${name}`)
  if (!own.includes(parent)) throw NAMED.denied
  return parent
}

function shown({ id, createdAt, details }: LedgerPost, { clock }: StandInDeps) {
  const { languageCode, summary, processedAt, ends, topic } = detailsSchema.parse(details)
  const state = clock.now() < Date.parse(processedAt) ? 'PROCESSING' : ends
  const number = id.split('/').at(-1) ?? ''
  return {
    name: id,
    ...(languageCode !== undefined && { languageCode }),
    ...(summary !== undefined && { summary }),
    state,
    // Google's timestamps have more digits than milliseconds.
    createTime: createdAt.replace('Z', '123Z'),
    updateTime: createdAt.replace('Z', '123Z'),
    ...(state === 'LIVE' && { searchUrl: `https://local.google.com/place?id=${number}&use=posts` }),
    // Google serves a copy, not the original URL.
    media: [
      {
        name: id.replace('/localPosts/', '/media/localPosts/'),
        mediaFormat: 'PHOTO',
        googleUrl: `https://lh3.googleusercontent.com/p/${number}`,
      },
    ],
    ...topic,
  }
}
