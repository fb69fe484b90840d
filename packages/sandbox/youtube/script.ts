/** What a description asks of the sandbox: see `packages/sandbox/youtube.ts`. */
export interface Script {
  /** The reason that the start of the session is refused with. */
  readonly refuse?: string
  /** Most bytes taken of one chunk that is not the last. */
  readonly take?: number
  /** The session is forgotten once it has so many bytes. */
  readonly forget?: number
  /** How many looks find the video still in process. */
  readonly processing: number
  readonly failed?: string
  readonly rejected?: string
  /** Whatever was asked for. */
  readonly privacy?: string
  /** The number that is not told. */
  readonly hidden?: string
}

export function scriptIn(description: string): Script {
  const asked = new Map(
    [...description.matchAll(/\[sandbox ([a-z]+)=(\w+)\]/g)].map(([, name = '', value = '']) => [name, value]),
  )
  const text = (name: keyof Script) => (asked.has(name) ? { [name]: asked.get(name) } : {})
  const number = (name: keyof Script) => (asked.has(name) ? { [name]: Number(asked.get(name)) } : {})
  return {
    processing: 1,
    ...number('processing'),
    ...number('take'),
    ...number('forget'),
    ...text('refuse'),
    ...text('failed'),
    ...text('rejected'),
    ...text('privacy'),
    ...text('hidden'),
  }
}
