/** The scopes of api-spec §5, plus those of videos and erasures. */
export const SCOPES = [
  'accounts:read',
  'posts:read',
  'posts:write',
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
  'erasures:read',
  'erasures:write',
] as const

export type Scope = (typeof SCOPES)[number]

export function isScope(value: string): value is Scope {
  return (SCOPES as readonly string[]).includes(value)
}
