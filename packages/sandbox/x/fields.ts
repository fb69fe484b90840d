import * as z from 'zod'
import type { Row } from './rows.ts'

/** Which names the stand-in uses for what X renamed in August 2026; names of the other family are refused. */
export type Naming = 'old' | 'new'

type Show = (row: Row) => object

export interface Family {
  /** The parameter that lists fields. */
  readonly parameter: string
  readonly fields: Readonly<Record<string, Show>>
  readonly expansions: Readonly<Record<string, Show>>
}

/** Longer text is truncated; a separate field has all of it. */
const USUAL_LENGTH = 280

const nothing: Show = () => ({})
const attachments: Show = ({ mediaKeys }) => (mediaKeys.length === 0 ? {} : { attachments: { media_keys: mediaKeys } })
const author: Show = ({ author }) => ({ author_id: author.id })
const conversation: Show = ({ conversationId }) => ({ conversation_id: conversationId })
const created: Show = ({ createdAt }) => ({ created_at: createdAt })
const entities: Show = ({ links }) => (links.length > 0 ? { entities: { urls: links } } : {})
const addressee: Show = ({ target }) => (target ? { in_reply_to_user_id: target.author.id } : {})
const note =
  (name: string): Show =>
  ({ text, links }) =>
    text.length > USUAL_LENGTH ? { [name]: { text, entities: { urls: links } } } : {}
const publicMetrics =
  (repostCount: string): Show =>
  ({ counts }) => {
    const { likes, reposts, replies, quotes, bookmarks, impressions } = counts()
    const public_metrics = {
      [repostCount]: reposts,
      reply_count: replies,
      like_count: likes,
      quote_count: quotes,
      bookmark_count: bookmarks,
      impression_count: impressions,
    }
    return { public_metrics }
  }
const references =
  (name: string): Show =>
  ({ target }) =>
    target ? { [name]: [{ type: 'replied_to', id: target.id }] } : {}

/** Named in X's documentation, and absent from the posts of the sandbox. */
const absent = (...names: readonly string[]): Readonly<Record<string, Show>> =>
  Object.fromEntries(names.map((name) => [name, nothing]))
const ABSENT = absent(
  ...['article', 'card_uri', 'community_id', 'context_annotations', 'display_text_range', 'edit_controls', 'geo', 'id'],
  ...['lang', 'matched_media_notes', 'media_metadata', 'non_public_metrics', 'note_request_suggestions'],
  ...['organic_metrics', 'paid_partnership', 'possibly_sensitive', 'promoted_metrics', 'reply_settings', 'scopes'],
  ...['source', 'suggested_source_links', 'suggested_source_links_with_counts', 'text', 'withheld'],
)
const ABSENT_EXPANSIONS = absent(
  ...['article.cover_media', 'article.media_entities', 'attachments.media_source_tweet', 'attachments.poll_ids'],
  ...['entities.mentions.username', 'geo.place_id'],
)

/** The fields of a post that can be requested, and the expansions. */
export const FAMILIES: Readonly<Record<Naming, Family>> = {
  old: {
    parameter: 'tweet.fields',
    fields: {
      ...ABSENT,
      ...absent('edit_history_tweet_ids'),
      attachments,
      author_id: author,
      conversation_id: conversation,
      created_at: created,
      entities,
      in_reply_to_user_id: addressee,
      note_tweet: note('note_tweet'),
      public_metrics: publicMetrics('retweet_count'),
      referenced_tweets: references('referenced_tweets'),
    },
    expansions: {
      ...ABSENT_EXPANSIONS,
      ...absent('attachments.media_keys', 'author_id', 'in_reply_to_user_id', 'edit_history_tweet_ids'),
      ...absent('entities.note.mentions.username', 'referenced_tweets.id', 'referenced_tweets.id.author_id'),
      ...absent('referenced_tweets.id.attachments.media_keys'),
    },
  },
  new: {
    parameter: 'post.fields',
    fields: {
      ...ABSENT,
      ...absent('article_title'),
      attachments,
      conversation_id: conversation,
      created_at: created,
      entities,
      note_post: note('note_post'),
      public_metrics: publicMetrics('repost_count'),
    },
    expansions: {
      ...ABSENT_EXPANSIONS,
      ...absent('attachments.media_keys', 'edit_history_post_ids', 'username'),
      author_id: author,
      in_reply_to_user_id: addressee,
      referenced_posts: references('referenced_posts'),
    },
  },
}

/** @param asked names of fields and expansions of the family */
export function shown(row: Row, asked: readonly string[], { fields, expansions }: Family): object {
  const { id, text } = row
  const cut = text.length > USUAL_LENGTH ? `${text.slice(0, USUAL_LENGTH - 1)}…` : text
  const more = asked.map((name) => (fields[name] ?? expansions[name] ?? nothing)(row))
  return Object.assign({ id, text: cut }, ...more)
}

/** A list of names, all of which must be known. */
export function namesOf(known: readonly string[]) {
  const split = (given: string): readonly string[] => given.split(',').filter((name) => name !== '')
  return z
    .string()
    .default('')
    .refine((given) => split(given).every((name) => known.includes(name)), `is not of ${known.join(', ')}`)
    .transform(split)
}
