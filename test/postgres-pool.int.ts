import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { openPool, transaction } from '../infra/postgres/pool.ts'
import { connectionStringOf } from './support/api.ts'
import { testDatabase } from './support/postgres.ts'

/** The end of what a session sends when it is ready for a query: ReadyForQuery, idle. */
const READY = Buffer.from('Z\0\0\0\x05I', 'latin1')

/** What Postgres sends to all sessions when its main process was killed: an ErrorResponse, FATAL. */
function fatal(): Buffer {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0')
  const length = Buffer.alloc(4)
  length.writeInt32BE(fields.length + length.length)
  return Buffer.concat([Buffer.from('E'), length, fields])
}

/** A pool on a database whose first session ends in the same packet as its `turn`th ReadyForQuery, counted from 1. */
async function endedAt(t: Test, turn: number) {
  const { db } = await testDatabase(t)
  const url = new URL(connectionStringOf(db))
  const target = Number(url.port)
  const sockets = new Set<Socket>()
  let ready = 0
  const server = createServer((client) => {
    const session = connect(target, '127.0.0.1')
    for (const socket of [client, session]) sockets.add(socket.on('error', () => undefined))
    client.on('data', (bytes) => session.write(bytes)).on('close', () => session.destroy())
    session.on('close', () => client.destroy())
    session.on('data', (bytes) => {
      if (bytes.subarray(-READY.length).equals(READY)) ready += 1
      if (ready !== turn) return void client.write(bytes)
      ready += 1
      client.end(Buffer.concat([bytes, fatal()]))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  url.host = `127.0.0.1:${address.port}`
  const pool = openPool(url.href, { max: 1, name: 'ended', onError: () => undefined })
  t.teardown(async () => {
    await pool.end()
    sockets.forEach((socket) => socket.destroy())
    await new Promise((resolve) => server.close(resolve))
  })
  return pool
}

t.test('given a session that Postgres ends as the pool passes it on', async (t) => {
  await t.test('when it has just been opened, then the transaction fails and the next one succeeds', async (t) => {
    const pool = await endedAt(t, 1)
    await t.rejects(transaction(pool, (client) => client.query('select 1')))
    t.same((await transaction(pool, (client) => client.query('select 1 as one'))).rows, [{ one: 1 }])
  })

  await t.test(
    'when it comes from an earlier query, then the transaction fails and the next one succeeds',
    async (t) => {
      const pool = await endedAt(t, 2)
      const earlier = pool.query('select 1')
      const next = transaction(pool, (client) => client.query('select 1'))
      const outcomes = await Promise.allSettled([earlier, next])
      t.same(
        outcomes.map(({ status }) => status),
        ['fulfilled', 'rejected'],
      )
      t.same((await transaction(pool, (client) => client.query('select 1 as one'))).rows, [{ one: 1 }])
    },
  )
})
