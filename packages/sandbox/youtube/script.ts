/** The directives in a description: see `packages/sandbox/youtube.ts`. */
export interface Script {
  /** The reason for which the session is refused. */
  readonly refuse?: string
  /** Most bytes accepted from a chunk other than the last. */
  readonly take?: number
  /** The session is forgotten once it has this many bytes. */
  readonly forget?: number
  /** Looks for which the video is processed. */
  readonly processing: number
  readonly failed?: string
  readonly rejected?: string
  /** Overrides the requested privacy. */
  readonly privacy?: string
  /** The count to omit. */
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
