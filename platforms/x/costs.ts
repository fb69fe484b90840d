import type { Costs } from '../kit/costs.ts'
import { links } from './links.ts'

/**
 * The prices of X's pay-per-use plan, which has no subscription. X charges for what a read returns, once per post or user and UTC
 * day, and for each post that is created.
 *
 * Reads of an account's own posts and mentions cost 0.001 if that account also owns the developer app, which X does not tell an
 * app: the setting `X_PRICES` does.
 */
export const costs: Costs = {
  asOf: '2026-08-22',
  kinds: {
    post: { label: 'posts', microUsd: 15_000, isRead: false, capabilities: ['publishing'] },
    post_with_link: { label: 'posts with a link', microUsd: 200_000, isRead: false, capabilities: ['publishing'] },
    reply: { label: 'replies', microUsd: 10_000, isRead: false, capabilities: ['replies'] },
    post_read: { label: 'posts read', microUsd: 5_000, isRead: true, capabilities: ['comments', 'analytics'] },
    user_read: { label: 'users read', microUsd: 10_000, isRead: true, capabilities: ['comments', 'analytics'] },
  },
  publish: (text) => (hasLink(text) ? 'post_with_link' : 'post'),
  reply: (text) => (hasLink(text) ? 'post_with_link' : 'reply'),
  perComment: ['post_read', 'user_read'],
  perLook: ['post_read'],
}

function hasLink(text: string): boolean {
  return !links(text.normalize('NFC')).next().done
}
