import { createRequire } from 'node:module'
import type { Test } from 'tap'

interface S3rver {
  run(): Promise<{ readonly port: number }>
  close(): Promise<void>
}
type S3rverClass = new (options: object) => S3rver

/** It has no types. */
const Server = createRequire(import.meta.url)('@20minutes/s3rver') as S3rverClass

/** The keys that it knows. */
export const S3RVER_KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/** An S3 server that others have written, with one bucket; returns its address. */
export async function givenS3rver(t: Test, bucket: string): Promise<string> {
  const kept = { directory: t.testdir(), configureBuckets: [{ name: bucket }] }
  const server = new Server({ port: 0, address: '127.0.0.1', silent: true, ...kept })
  const { port } = await server.run()
  t.teardown(() => server.close())
  return `http://127.0.0.1:${port}`
}
