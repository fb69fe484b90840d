/** The directives in a caption: see `packages/sandbox/tiktok.ts`. */
export interface PostScript {
  /** The code with which the post is refused at once. */
  readonly refuse?: string
  /** Looks for which it is processed. */
  readonly processing: number
  /** Why it fails, and how many times. */
  readonly fail?: { readonly reason: string; readonly times: number }
  readonly isListed: boolean
}

/** The directives in an account's label. */
export interface AccountScript {
  readonly isPrivate: boolean
  readonly commentsOff: boolean
  /** Whether its owner publishes each draft as soon as it arrives. */
  readonly postsDrafts: boolean
  readonly seconds: number
  /** The code with which creator queries are answered. */
  readonly creator?: string
}

export function postScript(caption: string): PostScript {
  const asked = directives(caption)
  const refuse = asked.get('refuse')
  const [reason, times = 'Infinity'] = asked.get('fail')?.split(':') ?? []
  return {
    processing: Number(asked.get('processing') ?? 1),
    isListed: asked.get('listed') !== 'no',
    ...(refuse !== undefined && { refuse }),
    ...(reason !== undefined && { fail: { reason, times: Number(times) } }),
  }
}

export function accountScript(label: string): AccountScript {
  const asked = directives(label)
  const creator = asked.get('creator')
  return {
    isPrivate: asked.get('account') === 'private',
    commentsOff: asked.get('comments') === 'off',
    postsDrafts: asked.get('inbox') === 'posted',
    seconds: Number(asked.get('seconds') ?? 600),
    ...(creator !== undefined && { creator }),
  }
}

/** The label without its directives, reduced to the characters that TikTok allows in a name. */
export function usernameOf(label: string): string {
  return label
    .replaceAll(/\[sandbox [^\]]*\]/g, '')
    .trim()
    .replaceAll(/[^\w.]/g, '_')
}

function directives(text: string): ReadonlyMap<string, string> {
  return new Map([...text.matchAll(/\[sandbox ([a-z]+)=([\w:]+)\]/g)].map(([, name = '', value = '']) => [name, value]))
}
