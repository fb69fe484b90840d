import t from 'tap'
import { routeTable } from '../api/v1/routes.ts'
import { isScope, SCOPES, type Scope } from '../domain/core/scope.ts'
import { givenApi, idleServices, type Call } from './support/api.ts'
import { movableClock } from './support/movable-clock.ts'
import { givenProcess } from './support/world.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

t.test('given a request with two faults, then the one that is checked first is answered', async (t) => {
  const clock = movableClock({ standingAt: Date.UTC(2026, 5, 1) })
  const api = await givenApi(t, { clock, limits: { perMinute: 40, perDay: 1000 } })
  const key = await api.key()
  const readOnly = await api.key({ scopes: ['posts:read'] })
  const used = await api.key({ scopes: ['posts:read'] })
  const theirs = await api.key({ workspaceId: 'ws_other' })
  const service = await givenProcess(api.world)
  const ownPost = await service.queue({ selections: { instagrm: ['acc_1'] } })
  const theirPost = await service.queue({ selections: { x: ['acc_1'] }, workspaceId: 'ws_other' })
  await service.step()
  for (let i = 0; i < 40; i += 1) await api.call({ path: '/v1/posts', key: used })

  const bad: Pick<Call, 'payload' | 'headers'> = { payload: '{', headers: JSON_TYPE }
  const cases: readonly (Call & { readonly name: string; readonly answer: readonly [number, string] })[] = [
    { name: 'unknown path before key', path: '/v1/nothing', answer: [404, 'not_found'] },
    { name: 'unknown path before body', path: '/v1/nothing', method: 'POST', ...bad, answer: [404, 'not_found'] },
    {
      name: 'unknown path before content type',
      path: '/v1/nothing',
      method: 'POST',
      payload: 'x',
      answer: [404, 'not_found'],
    },
    { name: 'wrong method before key', path: '/v1/posts', method: 'PUT', answer: [405, 'method_not_allowed'] },
    {
      name: 'wrong method before body',
      path: '/v1/posts',
      method: 'PATCH',
      ...bad,
      answer: [405, 'method_not_allowed'],
    },
    { name: 'no key before body', path: '/v1/posts', method: 'POST', ...bad, answer: [401, 'missing_api_key'] },
    { name: 'bad key before id', path: `/v1/posts/${theirPost}`, key: 'nonsense', answer: [401, 'invalid_api_key'] },
    {
      name: 'limit before scope',
      path: '/v1/posts',
      method: 'POST',
      key: used,
      body: {},
      answer: [429, 'rate_limit_exceeded'],
    },
    { name: 'limit before id', path: '/v1/posts/none', key: used, answer: [429, 'rate_limit_exceeded'] },
    {
      name: 'scope before body',
      path: '/v1/posts',
      method: 'POST',
      key: readOnly,
      ...bad,
      answer: [403, 'insufficient_scope'],
    },
    {
      name: 'scope before size',
      path: '/v1/posts',
      method: 'POST',
      key: readOnly,
      payload: ' '.repeat(11_000_000),
      headers: JSON_TYPE,
      answer: [403, 'insufficient_scope'],
    },
    {
      name: 'scope before ownership',
      path: `/v1/posts/${theirPost}/retry`,
      method: 'POST',
      key: readOnly,
      body: { platform: 'x' },
      answer: [403, 'insufficient_scope'],
    },
    {
      name: 'body before existence',
      path: '/v1/posts/none/retry',
      method: 'POST',
      key,
      body: {},
      answer: [400, 'invalid_request'],
    },
    {
      name: 'body before ownership',
      path: `/v1/posts/${theirPost}/retry`,
      method: 'POST',
      key,
      body: {},
      answer: [400, 'invalid_request'],
    },
    {
      name: 'existence',
      path: '/v1/posts/none/retry',
      method: 'POST',
      key,
      body: { platform: 'x' },
      answer: [404, 'not_found'],
    },
    {
      name: 'ownership before state',
      path: `/v1/posts/${theirPost}/retry`,
      method: 'POST',
      key,
      body: { platform: 'x' },
      answer: [403, 'forbidden'],
    },
    {
      name: 'ownership before what the post has',
      path: `/v1/posts/${theirPost}/retry`,
      method: 'POST',
      key,
      body: { platform: 'tiktok' },
      answer: [403, 'forbidden'],
    },
    {
      name: 'state',
      path: `/v1/posts/${ownPost}/retry`,
      method: 'POST',
      key,
      body: { platform: 'instagrm' },
      answer: [409, 'failed_precondition'],
    },
    { name: 'the owner sees it', path: `/v1/posts/${theirPost}`, key: theirs, answer: [200, ''] },
  ]
  for (const { name, answer, ...call } of cases) {
    await t.test(name, async (t) => {
      const { status, code = '' } = await api.call(call)
      t.same([status, code], answer)
    })
  }
})

t.test('given a known path, when another method is used', async (t) => {
  const api = await givenApi(t)
  const key = await api.key()
  const paths: readonly [string, string][] = [
    ['/v1/accounts', 'GET, HEAD'],
    ['/v1/posts', 'POST, GET, HEAD'],
    ['/v1/posts/post_1', 'GET, HEAD'],
    ['/v1/posts/post_1/retry', 'POST'],
    ['/v1/openapi.json', 'GET, HEAD'],
    ['/healthz', 'GET, HEAD'],
    ['/readyz', 'GET, HEAD'],
  ]
  for (const [path, allow] of paths) {
    await t.test(`then ${path} answers 405 and allows ${allow}`, async (t) => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
        if (allow.split(', ').includes(method)) continue
        for (const spelled of [path, path.replace('e', '%65'), `${path}?a=b`]) {
          const { status, code, headers, text } = await api.call({ method, path: spelled, key })
          t.same([status, code, headers['allow']], [405, 'method_not_allowed', allow], `${method} ${spelled}`)
          t.match(text, `${method} is not allowed here`)
        }
      }
    })
  }

  await t.test('then HEAD answers as GET, without the body', async (t) => {
    const get = await api.call({ path: '/v1/posts', key })
    const head = await api.call({ method: 'HEAD', path: '/v1/posts', key })
    t.equal(head.status, 200)
    t.equal(head.headers['content-length'], String(get.text.length))
    t.equal((await api.call({ method: 'HEAD', path: '/v1/posts' })).status, 401)
    t.equal((await api.call({ method: 'HEAD', path: '/v1/posts/post_1/retry', key })).headers['allow'], 'POST')
  })

  await t.test('then a path that is not there is 404 in every method', async (t) => {
    for (const path of ['/v1', '/v1/', '/v1/nothing', '/v1/POSTS', '/v1//posts', '/v2/posts', '/v1x', '/healthz/x']) {
      for (const method of ['GET', 'POST', 'OPTIONS', 'PROPFIND']) {
        const { status, code } = await api.call({ method, path, key, payload: '{', headers: JSON_TYPE })
        t.same([status, code], [404, 'not_found'], `${method} ${path}`)
      }
    }
  })

  await t.test('then a path is one path however it is spelled', async (t) => {
    for (const path of ['/%761/accounts', '/v1/%61ccounts', 'http://elsewhere.test/v1/accounts']) {
      t.equal((await api.call({ path, key })).status, 200, path)
      t.equal((await api.call({ path })).code, 'missing_api_key', path)
    }
  })
})

t.test('given X-Request-Id', async (t) => {
  const api = await givenApi(t)
  const cases: readonly [string | undefined, boolean][] = [
    ['abc_DEF-123', true],
    ['a'.repeat(128), true],
    ['a'.repeat(129), false],
    ['', false],
    ['with space', false],
    ['ümlaut', false],
    ['a,b', false],
    ['__proto__', true],
    [undefined, false],
  ]
  for (const [given, taken] of cases) {
    await t.test(`when it is ${given?.slice(0, 20)}, then it is ${taken ? 'taken over' : 'replaced'}`, async (t) => {
      const { requestId } = await api.call({
        path: '/v1/posts',
        headers: given === undefined ? {} : { 'x-request-id': given },
      })
      if (taken) t.equal(requestId, given)
      else t.match(requestId, /^req_[0-9A-Z]{26}$/)
    })
  }
})

t.test('given API keys', async (t) => {
  const api = await givenApi(t)
  const key = await api.key()
  const other = await api.key()
  const [, id = '', secret = '', checksum = ''] = key.split('_')
  const ask = async (authorization: string | undefined) => {
    const headers = authorization === undefined ? {} : { authorization }
    const { status, code } = await api.call({ path: '/v1/accounts', headers })
    return [status, code]
  }

  await t.test('when the header is absent or not a bearer token, then missing_api_key', async (t) => {
    for (const header of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Basic ${key}`,
      key,
      `Bearer ${key} ${key}`,
      `Bearer\t${key}`,
    ]) {
      t.same(await ask(header), [401, 'missing_api_key'], `header ${header}`)
    }
  })

  await t.test('when the scheme is written in any case, then the key is good', async (t) => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
      t.same(await ask(`${scheme} ${key}`), [200, undefined])
    t.same(await ask(`Bearer   ${key}  `), [200, undefined])
  })

  await t.test('when the key is not one of ours, then invalid_api_key', async (t) => {
    const swapped = (text: string, at: number) =>
      `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
    const wrong = {
      malformed: [
        'x',
        'fnf_',
        `fnf_${id}`,
        `${key}x`,
        key.slice(0, -1),
        key.toLowerCase(),
        `sk_${id}_${secret}_${checksum}`,
        '__proto__',
        '%00',
        'é',
      ],
      'with a wrong checksum': [swapped(key, key.length - 1), swapped(key, 40)],
    }
    for (const [what, keys] of Object.entries(wrong)) {
      for (const raw of keys) t.same(await ask(`Bearer ${raw}`), [401, 'invalid_api_key'], `${what}: ${raw}`)
    }
  })

  await t.test('when the checksum is right but the id or the secret is not, then invalid_api_key', async (t) => {
    const { apiKeyFormat } = await import('../infra/runtime/key-format.ts')
    t.same(await ask(`Bearer ${apiKeyFormat.generate('key_01ARZ3NDEKTSV4RRFFQ69G5FAV').raw}`), [401, 'invalid_api_key'])
    t.same(await ask(`Bearer ${apiKeyFormat.generate(`key_${id}`).raw}`), [401, 'invalid_api_key'])
    t.same(await ask(`Bearer ${other}`), [200, undefined])
  })

  await t.test('when each route is called with every scope but its own, or with its own alone', async (t) => {
    const routes = routeTable(idleServices(api.world))
    t.ok(routes.length >= 5)
    for (const { method, path, scope, proposable = false } of routes) {
      if (!isScope(scope)) throw new Error(`no key may call ${path}`)
      const call = { method, path: `/v1${path.replace(/\{\w+\}/g, 'none')}`, body: method === 'GET' ? undefined : {} }
      const enough: readonly Scope[] = proposable ? [scope, 'posts:propose'] : [scope]
      // No key has both that of proposals and that of decisions, unless it may write posts.
      const apart = scope === 'posts:write' && !proposable ? 'approvals:decide' : undefined
      const without = await api.key({ scopes: SCOPES.filter((name) => !enough.includes(name) && name !== apart) })
      const refused = await api.call({ ...call, key: without })
      t.same([refused.status, refused.code], [403, 'insufficient_scope'], `${method} ${path}`)
      t.match(refused.message, scope)
      for (const one of enough) {
        const alone = await api.key({ scopes: [one] })
        t.not((await api.call({ ...call, key: alone })).code, 'insufficient_scope', `${method} ${path} with ${one}`)
      }
    }
  })
})
