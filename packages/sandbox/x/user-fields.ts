import { grown } from '../growth.ts'
import { stranger } from '../stranger.ts'
import type { StandInDeps } from '../stand-in.ts'
import type { Naming } from './fields.ts'
import { isPremium } from './posts.ts'
import { ownRows } from './rows.ts'
import type { User } from './users.ts'

type Show = (user: User, naming: Naming, deps: StandInDeps) => object

/** Upper bound for the followers of a sandbox account. */
const MOST_FOLLOWERS = 5_000

const nothing: Show = () => ({})

/** Named in X's documentation, and absent from the users of the sandbox. */
const ABSENT = [
  ...['affiliation', 'confirmed_email', 'connection_status', 'created_at', 'description', 'entities', 'id'],
  ...['is_identity_verified', 'location', 'most_recent_tweet_id', 'parody', 'pinned_tweet_id', 'profile_banner_url'],
  ...['profile_image_url', 'protected', 'receives_your_dm', 'subscribes_to_you', 'subscription', 'url', 'verified'],
  ...['verified_followers_count', 'verified_type', 'withheld'],
]

/** The fields of a user that can be requested, beyond the default ones. */
export const USER_FIELDS: Readonly<Record<string, Show>> = {
  ...Object.fromEntries(ABSENT.map((name) => [name, nothing])),
  name: nothing,
  username: nothing,
  public_metrics: (user, naming, deps) => ({ public_metrics: publicMetrics(user, naming, deps) }),
  subscription_type: ({ id }, _naming, { ledger }) => {
    const account = ledger.account('x', id)
    return account ? { subscription_type: isPremium(account) ? 'Premium' : 'None' } : {}
  },
}

export function shownUser(user: User, asked: readonly string[], naming: Naming, deps: StandInDeps): object {
  return Object.assign({ ...user }, ...asked.map((name) => (USER_FIELDS[name] ?? nothing)(user, naming, deps)))
}

function publicMetrics({ id, username }: User, naming: Naming, deps: StandInDeps): object {
  const { clock, ledger } = deps
  const now = clock.now()
  const account = ledger.account('x', id)
  const other = stranger(username)
  const followers = account
    ? grown(`followers:${id}`, now - Date.parse(account.createdAt), MOST_FOLLOWERS)
    : other.followers(now)
  const posts = account ? ownRows(account, deps).length : other.posts(now)
  return {
    followers_count: followers,
    following_count: 0,
    [naming === 'old' ? 'tweet_count' : 'post_count']: posts,
    listed_count: 0,
    like_count: 0,
  }
}
