/** The scopes of api-spec §5, plus those of approvals, videos, users and erasures. */
export const SCOPES = [
  'accounts:read',
  'posts:read',
  /** Write posts that are not published before a person approves them. */
  'posts:propose',
  'posts:write',
  /** Comment on posts that await approval. */
  'approvals:write',
  /** Approve and reject what others write; it also publishes without approval, unless everyone needs it. */
  'approvals:decide',
  'analytics:read',
  'comments:read',
  'comments:write',
  'credits:read',
  'videos:read',
  'videos:write',
  'webhooks:read',
  'webhooks:write',
  'rss:read',
  'rss:write',
  'recycling:read',
  'recycling:write',
  'users:read',
  'users:write',
  'erasures:read',
  'erasures:write',
] as const

export type Scope = (typeof SCOPES)[number]

export function isScope(value: string): value is Scope {
  return (SCOPES as readonly string[]).includes(value)
}

/** Whether all posts of somebody with these scopes need approval. */
export function onlyProposes(scopes: readonly Permission[]): boolean {
  return scopes.includes('posts:propose') && !scopes.includes('posts:write')
}

/** What only signed-in users may do: `dashboard` is what every one of them may. No API key has these. */
export const USER_PERMISSIONS = ['dashboard', 'accounts:write', 'keys:read', 'keys:write'] as const

/** What a caller may do. */
export type Permission = Scope | (typeof USER_PERMISSIONS)[number]
