/**
 * The API's paths and schemas, made of the OpenAPI document by `npm run client`: types alone, for a client such as
 * openapi-fetch makes of them.
 */

export interface paths {
    "/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connected accounts by platform
         * @description Use their ids in selections. An account with status needs_reauth must be connected again by its owner before anything can be published on it.
         *
         *     Scope: `accounts:read`.
         */
        get: operations["listAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/accounts/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get totals for one account, with its best formats and hashtags
         * @description Formats and hashtags are compared by medians, so that one lucky post does not decide. asOf returns what was known on a past day.
         *
         *     Scope: `analytics:read`.
         */
        get: operations["getAccountAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/accounts/{accountId}/best-times": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the best times, days, formats and frequency for posts on one account
         * @description basedOn is general, with general guidance, when there are fewer than 5 posts to learn from.
         *
         *     Scope: `analytics:read`.
         */
        get: operations["getBestTimes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/competitors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tracked competitors, newest first
         * @description With their latest followers, posting frequency and engagement. Competitors are added on the command line.
         *
         *     Scope: `analytics:read`.
         */
        get: operations["listCompetitors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get totals for one account or all, with the three most viewed posts
         * @description For posts published on youtube, x, pinterest and bluesky within the given number of days.
         *
         *     Scope: `analytics:read`.
         */
        get: operations["getAnalyticsSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/analytics/top-posts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List posts ranked by views, likes or comments, highest first
         * @description Posts without the metric are left out.
         *
         *     Scope: `analytics:read`.
         */
        get: operations["listTopPosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List comments and mentions of the last 7 days, newest first
         * @description For all connected accounts on instagram, facebook, threads, youtube, linkedin and bluesky, and mentions on x. Each contains the fields that replyToComment requires.
         *
         *     Scope: `comments:read`.
         */
        get: operations["listComments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/comments/check-now": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fetch new comments now, for all or selected accounts
         * @description Accounts are checked every few minutes anyway. How soon they can be checked depends on the platform's quota.
         *
         *     Scope: `comments:write`.
         */
        post: operations["checkCommentsNow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/comments/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a comment as handled without replying
         * @description Nothing is sent or deleted on the platform.
         *
         *     Scope: `comments:write`.
         */
        post: operations["dismissComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/comments/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reply to a comment, or have the AI draft a reply for review
         * @description With directText, this exact text is published immediately. Without it, the AI writes a draft, which waits in listPendingReplies until approveReply sends it. A comment has one open draft; asking again returns it. Copy all other fields from listComments.
         *
         *     Scope: `comments:write`.
         */
        post: operations["replyToComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the remaining AI credits; only POST /videos spends them
         * @description Scope: `credits:read`.
         */
        get: operations["getCredits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credits/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of the credits, oldest first
         * @description From the log: who did what, and when.
         *
         *     Scope: `credits:read`.
         */
        get: operations["listCreditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/credits/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List credits granted, charged and refunded, newest first
         * @description Each with the balance after it.
         *
         *     Scope: `credits:read`.
         */
        get: operations["listCreditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events, oldest first; pass `after` to get newer ones
         * @description The same events that webhooks receive, from the beginning. nextCursor is never null: pass it as after to get what has happened since then.
         *
         *     Scope: `webhooks:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/posts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List posts, newest first
         * @description From all origins: the API, schedules, feeds and recycling rules.
         *
         *     Scope: `posts:read`.
         */
        get: operations["listPosts"];
        put?: never;
        /**
         * Publish media to accounts in the background
         * @description The post is published immediately and cannot be recalled. Every post needs an image or a video, given by public URL, which the service fetches. An account that does not exist or a broken platform rule is not an error here: it appears as a failure of that account in getPost. Check the post with previewPost first.
         *
         *     Scope: `posts:write`.
         */
        post: operations["queuePost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/posts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one post with its result for each account
         * @description Its status is processing until every account has a result, then published if at least one succeeded, otherwise publish_failed. publishResults holds the permalink or the error of each account, waiting what an account without a result is waiting for.
         *
         *     Scope: `posts:read`.
         */
        get: operations["getPost"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/posts/{id}/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current metrics of one post on one platform
         * @description Live from the platform. Only for youtube, x, pinterest and bluesky. Unavailable metrics are omitted, never reported as zero.
         *
         *     Scope: `analytics:read`.
         */
        get: operations["getPostAnalytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/posts/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of a post, oldest first
         * @description From the log: who did what, including each attempt and response, with a one-sentence summary.
         *
         *     Scope: `posts:read`.
         */
        get: operations["listPostEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/posts/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry the failed accounts on one platform
         * @description Accounts that already have the post are skipped. If an outcome is unknown, the platform is checked before anything is sent again. Refused with failed_precondition while the post is still being published there, or if nothing has failed there.
         *
         *     Scope: `posts:write`.
         */
        post: operations["retryPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/posts/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview a post on each account without publishing it
         * @description Takes the same input as queuePost, fetches the media, and returns for each account the final text, whether the account works, and every platform rule that the post would break.
         *
         *     Scope: `posts:write`.
         */
        post: operations["previewPost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/posts/scheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish media to accounts at a later time
         * @description Date and time are in timezone, which defaults to UTC. A time in the past is refused. The post can be rescheduled or cancelled until then.
         *
         *     Scope: `posts:write`.
         */
        post: operations["schedulePost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recycling-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List recycling rules, newest first
         * @description With the time of the last and the next repost of each.
         *
         *     Scope: `recycling:read`.
         */
        get: operations["listRecyclingRules"];
        put?: never;
        /**
         * Republish a published post every N days
         * @description The source post must be published. Without selections, it is republished on the accounts that it succeeded on. The first repost comes after intervalDays. With rewriteCaption, the AI writes a new caption each time.
         *
         *     Scope: `recycling:write`.
         */
        post: operations["addRecyclingRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recycling-rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one recycling rule
         * @description With the time of its last and next repost.
         *
         *     Scope: `recycling:read`.
         */
        get: operations["getRecyclingRule"];
        put?: never;
        post?: never;
        /**
         * Delete a recycling rule
         * @description The rule no longer recycles anything. Existing posts are kept.
         *
         *     Scope: `recycling:write`.
         */
        delete: operations["deleteRecyclingRule"];
        options?: never;
        head?: never;
        /**
         * Change, pause or resume a recycling rule
         * @description Only the given fields change. Set active to false to pause the rule.
         *
         *     Scope: `recycling:write`.
         */
        patch: operations["changeRecyclingRule"];
        trace?: never;
    };
    "/recycling-rules/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of a recycling rule, oldest first
         * @description From the log: who did what, including each attempt and response, with a one-sentence summary.
         *
         *     Scope: `recycling:read`.
         */
        get: operations["listRecyclingRuleEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/recycling-rules/{id}/run-now": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Republish the post of a rule now
         * @description The post is published within seconds.
         *
         *     Scope: `recycling:write`.
         */
        post: operations["runRecyclingRuleNow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/replies/pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the replies in the review inbox, newest first
         * @description Drafts that await approval, replies that are being sent, and replies that failed.
         *
         *     Scope: `comments:read`.
         */
        get: operations["listPendingReplies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/replies/pending/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one reply, even after it was sent or rejected
         * @description Its status is pending until it is decided, then sending and sent, or rejected, or failed with an error.
         *
         *     Scope: `comments:read`.
         */
        get: operations["getReply"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Overwrite a draft without sending it
         * @description The previous draft is replaced. approveReply sends the new one.
         *
         *     Scope: `comments:write`.
         */
        patch: operations["editReply"];
        trace?: never;
    };
    "/replies/pending/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a reply as drafted or edited
         * @description It is published immediately. If given, editedText is sent instead of the draft. Refused with failed_precondition if it has already been sent, or if the comment has received a reply since the draft.
         *
         *     Scope: `comments:write`.
         */
        post: operations["approveReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/replies/pending/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of a reply, oldest first
         * @description From the log: who did what, including each attempt and response, with a one-sentence summary.
         *
         *     Scope: `comments:read`.
         */
        get: operations["listReplyEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/replies/pending/{id}/regenerate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have the AI revise a draft
         * @description context says what to change. The previous draft is replaced; nothing is sent.
         *
         *     Scope: `comments:write`.
         */
        post: operations["regenerateReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/replies/pending/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Discard a reply without sending it
         * @description It can no longer be approved.
         *
         *     Scope: `comments:write`.
         */
        post: operations["rejectReply"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rss-feeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List feeds, newest first
         * @description With the time and any error of the last check of each.
         *
         *     Scope: `rss:read`.
         */
        get: operations["listFeeds"];
        put?: never;
        /**
         * Post new items of an RSS or Atom feed automatically
         * @description Items already in the feed are not posted, only new ones. Items without an image are skipped. Only for facebook, instagram, threads, pinterest and bluesky.
         *
         *     Scope: `rss:write`.
         */
        post: operations["addFeed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rss-feeds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one feed
         * @description With the time and any error of its last check.
         *
         *     Scope: `rss:read`.
         */
        get: operations["getFeed"];
        put?: never;
        post?: never;
        /**
         * Delete a feed
         * @description New items are no longer posted. Existing posts are kept.
         *
         *     Scope: `rss:write`.
         */
        delete: operations["deleteFeed"];
        options?: never;
        head?: never;
        /**
         * Change, pause or resume a feed; it is then checked immediately
         * @description Only the given fields change. Set active to false to pause the feed.
         *
         *     Scope: `rss:write`.
         */
        patch: operations["changeFeed"];
        trace?: never;
    };
    "/rss-feeds/{id}/check-now": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a feed now
         * @description New items are posted within about a minute, without waiting for the interval.
         *
         *     Scope: `rss:write`.
         */
        post: operations["checkFeedNow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rss-feeds/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of a feed, oldest first
         * @description From the log: who did what, including each attempt and response, with a one-sentence summary.
         *
         *     Scope: `rss:read`.
         */
        get: operations["listFeedEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rss-feeds/{id}/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the items of a feed, newest first
         * @description With the post of each posted item, and the reason why others were skipped.
         *
         *     Scope: `rss:read`.
         */
        get: operations["listFeedItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduled-posts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List pending scheduled posts, soonest first
         * @description Only pending ones. Published ones are among the posts.
         *
         *     Scope: `posts:read`.
         */
        get: operations["listScheduledPosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scheduled-posts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one scheduled post, even after its time
         * @description The post that it becomes has the same id.
         *
         *     Scope: `posts:read`.
         */
        get: operations["getScheduledPost"];
        put?: never;
        post?: never;
        /**
         * Cancel a pending scheduled post
         * @description It will not be published. Refused with failed_precondition once publishing has started.
         *
         *     Scope: `posts:write`.
         */
        delete: operations["cancelScheduledPost"];
        options?: never;
        head?: never;
        /**
         * Reschedule a pending scheduled post
         * @description Pass scheduledAtUtc, or date and time in the original time zone of the post. Refused with failed_precondition once publishing has started.
         *
         *     Scope: `posts:write`.
         */
        patch: operations["reschedulePost"];
        trace?: never;
    };
    "/videos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List videos, newest first
         * @description With the progress of videos that are still being created.
         *
         *     Scope: `videos:read`.
         */
        get: operations["listVideos"];
        put?: never;
        /**
         * Create a video in the background; it costs credits
         * @description Pass a prompt, or scenes that each have an aiPrompt or an uploaded mediaUrl. Credits are charged immediately, one for each generated scene and one for a voiceover unless the operator has set other prices, and are refunded if the video fails. Its videoUrl can be posted once getVideo returns status ready.
         *
         *     Scope: `videos:write`.
         */
        post: operations["requestVideo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/videos/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one video with its progress and clips
         * @description Its status is processing until it is ready or failed; statusMessage explains why.
         *
         *     Scope: `videos:read`.
         */
        get: operations["getVideo"];
        put?: never;
        post?: never;
        /**
         * Permanently delete a video and its files; a video in progress is cancelled and refunded
         * @description Posts that have not fetched its files yet can no longer do so.
         *
         *     Scope: `videos:write`.
         */
        delete: operations["deleteVideo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/videos/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of a video, oldest first
         * @description From the log: who did what, including each attempt and response, with a one-sentence summary.
         *
         *     Scope: `videos:read`.
         */
        get: operations["listVideoEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks, newest first
         * @description Without their secrets.
         *
         *     Scope: `webhooks:read`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Register a webhook for events
         * @description The secret that verifies deliveries is returned only once. The URL must be one that the service may reach: not in a private network, unless the operator allows it.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["registerWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one webhook
         * @description Scope: `webhooks:read`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Pending deliveries are cancelled.
         *
         *     Scope: `webhooks:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of a webhook, newest first
         * @description With the attempts so far, the last error, and the time of the next attempt.
         *
         *     Scope: `webhooks:read`.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{deliveryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get one delivery of a webhook, with its attempts
         * @description Scope: `webhooks:read`.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{deliveryId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of a delivery, oldest first
         * @description From the log: who did what, including each attempt and response, with a one-sentence summary.
         *
         *     Scope: `webhooks:read`.
         */
        get: operations["listDeliveryEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a delivery again, with all its retries
         * @description The body and its id stay the same: receivers that deduplicate by id will ignore it.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["resendDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of a webhook, oldest first
         * @description From the log: who did what, including each attempt and response, with a one-sentence summary.
         *
         *     Scope: `webhooks:read`.
         */
        get: operations["listWebhookEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook; the previous one still signs for 24 hours
         * @description The new secret is returned only once.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a `webhook.test` event to a webhook
         * @description It is signed and retried like any other event.
         *
         *     Scope: `webhooks:write`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Account: {
            /** @description Why the last fetch of its post metrics failed. */
            analyticsError?: string;
            /**
             * @description How new comments are handled.
             * @enum {string}
             */
            automation: "off" | "review" | "auto";
            /** @description Why the last fetch of its comments failed. */
            commentsError?: string;
            /** @description Account id; used inside `selections`. */
            id: string;
            label: string;
            /** @description When needs_reauth: why its owner must connect it again. */
            reason?: string;
            /**
             * Format: date-time
             * @description When resting: the platform accepts no more requests until then.
             */
            restsUntil?: string;
            /** @enum {string} */
            status: "ready" | "resting" | "needs_reauth";
        };
        AccountAnalytics: {
            accountId: string;
            /**
             * Format: date
             * @description The requested day.
             */
            asOf?: string;
            days: number;
            /** @description Current followers; omitted if the platform does not report them, or for a past day. */
            followers?: number;
            /** @description Best first. */
            formats: {
                /** @enum {string} */
                format: "video" | "image";
                medianInteractions?: number;
                medianViews?: number;
                posts: number;
            }[];
            /** @description Best first. */
            hashtags: {
                hashtag: string;
                medianInteractions?: number;
                medianViews?: number;
                posts: number;
            }[];
            /** @enum {string} */
            platform: "instagram" | "youtube" | "x" | "facebook" | "threads" | "tiktok" | "linkedin" | "bluesky" | "pinterest" | "googlebusiness";
            totals: components["schemas"]["Totals"];
        };
        /** @description Part of every response. */
        Answer: {
            /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
            requestId: string;
        };
        BestTimes: {
            accountId: string;
            /**
             * @description general: fewer than 5 posts report their interactions.
             * @enum {string}
             */
            basedOn: "history" | "general";
            /** @description Best first. */
            bestDays: {
                medianInteractions?: number;
                medianViews?: number;
                posts?: number;
                /** @enum {string} */
                weekday: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
            }[];
            /** @description Best first. */
            bestTimes: {
                /** @description 9 means 9:00 to 9:59 in the time zone. */
                hour: number;
                medianInteractions?: number;
                medianViews?: number;
                posts?: number;
                /** @enum {string} */
                weekday: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
            }[];
            days: number;
            /** @description Best first. */
            formats: {
                /** @enum {string} */
                format: "video" | "image";
                medianInteractions?: number;
                medianViews?: number;
                posts?: number;
            }[];
            /** @description When general: advice in words. */
            guidance?: string[];
            /** @enum {string} */
            platform: "instagram" | "youtube" | "x" | "facebook" | "threads" | "tiktok" | "linkedin" | "bluesky" | "pinterest" | "googlebusiness";
            postingFrequency: {
                /** @description Actual posts per week. */
                postsPerWeek?: number;
                /** @description The frequency at which posts performed best; omitted if unknown. */
                recommendedPostsPerWeek?: number;
            };
            /** @description Posts that this is based on or, when general, that are available. */
            posts: number;
            timezone: string;
        };
        Comment: {
            accountId: string;
            author: string;
            commentCid?: string;
            /** Format: date-time */
            createdAt: string;
            dismissed: boolean;
            /** @description The comment's id on the platform. */
            id: string;
            /** @enum {string} */
            kind: "comment" | "mention";
            /** @enum {string} */
            platform: "instagram" | "youtube" | "x" | "facebook" | "threads" | "tiktok" | "linkedin" | "bluesky" | "pinterest" | "googlebusiness";
            /** @description The post it belongs to, as in publishResults. */
            postId?: string;
            postUrn?: string;
            /** @description Also true if the reply was made on the platform itself, if the platform reports it. */
            replied: boolean;
            rootCid?: string;
            rootUri?: string;
            text: string;
        };
        CommentChecks: {
            accounts: {
                accountId: string;
                /**
                 * Format: date-time
                 * @description The latest time at which it is checked.
                 */
                checkAt: string;
                /** @enum {string} */
                platform: "instagram" | "youtube" | "x" | "facebook" | "threads" | "tiktok" | "linkedin" | "bluesky" | "pinterest" | "googlebusiness";
            }[];
        };
        Competitor: {
            /** Format: date-time */
            createdAt: string;
            followers?: number;
            /** @description Change from 30 days before; omitted if unknown. */
            followersChange30d?: number;
            /** @description As displayed, without @. */
            handle: string;
            id: string;
            /** @description Mean over the posts of the last 30 days. */
            interactionsPerPost?: number;
            label: string;
            /** @description Why the figures are out of date. */
            lastError?: string;
            /**
             * Format: date-time
             * @description When the platform reported these figures.
             */
            lookedAt?: string;
            /** @enum {string} */
            platform: "instagram" | "youtube" | "x" | "facebook" | "threads" | "tiktok" | "linkedin" | "bluesky" | "pinterest" | "googlebusiness";
            /** @description Over the last 30 days. */
            postsPerWeek?: number;
            /** @description Mean over the posts of the last 30 days. */
            viewsPerPost?: number;
        };
        CreditEntry: {
            /** @description Always positive; kind gives the direction. */
            amount: number;
            /** @description The balance afterwards. */
            balance: number;
            /** Format: date-time */
            createdAt: string;
            id: string;
            /** @enum {string} */
            kind: "granted" | "charged" | "refunded";
            /** @description For a grant: its purpose. For a refund: failed or deleted. */
            reason?: string;
            videoId?: string;
        };
        Delivery: {
            /** @description The latest 50 attempts, oldest first. */
            attemptLog: {
                /** Format: date-time */
                at: string;
                durationMs: number;
                error: string | null;
                /** @description null: no response was received. */
                statusCode: number | null;
            }[];
            /** @description Attempts made so far. */
            attempts: number;
            /** Format: date-time */
            createdAt: string;
            /** @enum {string} */
            event: "post.published" | "post.failed" | "comment.received" | "reply.sent" | "webhook.test";
            /** @description The same for every webhook and in GET /events. */
            eventId: string;
            id: string;
            /** @description The error of the last failed attempt. */
            lastError: string | null;
            /**
             * Format: date-time
             * @description While pending: the time of the next attempt.
             */
            nextAttemptAt?: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
        };
        Error: {
            error: {
                /**
                 * @description Branch on this.
                 * @enum {string}
                 */
                code: "invalid_request" | "not_supported" | "missing_api_key" | "invalid_api_key" | "revoked_api_key" | "insufficient_scope" | "forbidden" | "not_found" | "method_not_allowed" | "failed_precondition" | "rate_limit_exceeded" | "resource_exhausted" | "internal_error";
                /** @description Names the field and the fix. */
                message: string;
                /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                requestId: string;
            };
        };
        Event: {
            /** Format: date-time */
            createdAt: string;
            data: {
                [key: string]: unknown;
            };
            /** @enum {string} */
            event: "post.published" | "post.failed" | "comment.received" | "reply.sent";
            id: string;
        };
        Feed: {
            active: boolean;
            captionTemplate: string;
            checkIntervalMinutes: number;
            /** Format: date-time */
            createdAt: string;
            id: string;
            /** Format: date-time */
            lastCheckedAt?: string;
            /** @description The error, if the last check failed. */
            lastError?: string;
            postedCount: number;
            selections: {
                [key: string]: string[];
            };
            url: string;
        };
        FeedItem: {
            link: string;
            /** @description When posted: see GET /posts/{id}. */
            postId?: string;
            /** @description When skipped: the reason. */
            reason?: string;
            /** Format: date-time */
            seenAt: string;
            /**
             * @description seeded: already in the feed when it was added.
             * @enum {string}
             */
            status: "seeded" | "posted" | "skipped";
            title: string;
        };
        HistoryEntry: {
            /** Format: date-time */
            at: string;
            /** @description The API key, dashboard user, command line or part of the service that did it. */
            by: {
                id: string;
                /** @enum {string} */
                kind: "api-key" | "user" | "cli" | "reactor";
                label?: string;
            };
            causationId: string;
            /** @description The same for everything that one request led to. */
            correlationId: string;
            /** @description The event as stored. It contains no secrets. */
            data: {
                [key: string]: unknown;
            };
            requestId?: string;
            /** @description Counts from 0, without gaps. */
            revision: number;
            /** @description What happened, in one sentence. */
            summary: string;
            type: string;
        };
        Post: {
            caption: string;
            /** Format: date-time */
            createdAt: string;
            hashtags: string[];
            id: string;
            /** @enum {string} */
            mediaType: "video" | "image";
            mediaUrl: string;
            /** @enum {string} */
            origin: "api" | "schedule" | "rss" | "recycling";
            /** @description Platform key to one item per account. */
            publishResults: {
                [key: string]: ({
                    accountId: string;
                    firstComment?: {
                        error?: string;
                        ok: boolean;
                    };
                    /** @constant */
                    ok: true;
                    /** @description The post’s id on the platform. */
                    postId: string;
                    /** @description Its permalink. */
                    url?: string;
                } | {
                    accountId?: string;
                    error: string;
                    /** @constant */
                    ok: false;
                    /**
                     * @description The post may or may not have been published.
                     * @constant
                     */
                    outcome?: "unknown";
                })[];
            };
            selections: {
                [key: string]: string[];
            };
            /** @enum {string} */
            status: "processing" | "published" | "publish_failed";
            /** @description Platform key to the accounts that are waiting. Empty if none are. */
            waiting: {
                [key: string]: components["schemas"]["WaitingAccount"][];
            };
        };
        PostAnalytics: {
            accounts: {
                accountId: string;
                /**
                 * Format: date-time
                 * @description When the platform reported them.
                 */
                capturedAt?: string;
                /** @description Why they are out of date or missing. */
                error?: string;
                /** @description With the platform’s own names. Unavailable metrics are omitted, never reported as zero. */
                metrics?: {
                    bookmarks?: number;
                    comments?: number;
                    impressions?: number;
                    likes?: number;
                    outboundClicks?: number;
                    pinClicks?: number;
                    quotes?: number;
                    reactions?: number;
                    replies?: number;
                    reposts?: number;
                    saves?: number;
                    views?: number;
                };
                postId: string;
            }[];
            /** @description Totals across accounts. Unavailable metrics are omitted, never reported as zero. */
            metrics: {
                bookmarks?: number;
                comments?: number;
                impressions?: number;
                likes?: number;
                outboundClicks?: number;
                pinClicks?: number;
                quotes?: number;
                reactions?: number;
                replies?: number;
                reposts?: number;
                saves?: number;
                views?: number;
            };
            /** @enum {string} */
            platform: "instagram" | "youtube" | "x" | "facebook" | "threads" | "tiktok" | "linkedin" | "bluesky" | "pinterest" | "googlebusiness";
            /** @description The post’s id on the platform, for the first account. */
            postId: string;
        };
        Preview: {
            accountId?: string;
            /** @description The text as it would be published. */
            caption: string;
            /** @description Details of the media; omitted if it could not be fetched. */
            media?: {
                bytes: number;
                durationMs?: number;
                height?: number;
                /** @enum {string} */
                mediaType: "video" | "image";
                /** @description Detected from the content. */
                mimeType: string;
                width?: number;
            };
            platform: string;
            /** @description Every platform rule that the post would break. Empty if it can be published. */
            problems: string[];
            token?: {
                /** @description When the access token expires; it is renewed before then. */
                expiresAt?: string;
                reason?: string;
                /** Format: date-time */
                restsUntil?: string;
                /** @enum {string} */
                status: "ready" | "resting" | "needs_reauth";
            };
        };
        QueuedPost: {
            id: string;
            /** @constant */
            queued: true;
            runId: string;
        };
        RankedPost: {
            accountId: string;
            caption?: string;
            /**
             * Format: date-time
             * @description When the platform reported these metrics.
             */
            capturedAt: string;
            comments?: number;
            /** @enum {string} */
            format: "video" | "image";
            hashtags: string[];
            /** @description As in GET /posts/{id}. */
            id: string;
            interactions?: number;
            likes?: number;
            /** @description With the platform’s own names. Unavailable metrics are omitted, never reported as zero. */
            metrics: {
                bookmarks?: number;
                comments?: number;
                impressions?: number;
                likes?: number;
                outboundClicks?: number;
                pinClicks?: number;
                quotes?: number;
                reactions?: number;
                replies?: number;
                reposts?: number;
                saves?: number;
                views?: number;
            };
            /** @enum {string} */
            platform: "instagram" | "youtube" | "x" | "facebook" | "threads" | "tiktok" | "linkedin" | "bluesky" | "pinterest" | "googlebusiness";
            /** @description The post’s id on the platform. */
            postId: string;
            /** Format: date-time */
            publishedAt: string;
            views?: number;
        };
        RecyclingRule: {
            active: boolean;
            /** Format: date-time */
            createdAt: string;
            id: string;
            intervalDays: number;
            /** @description Why the last repost failed; it is tried again at the next check. */
            lastError?: string;
            /** @description The post of the last repost: see GET /posts/{id}. */
            lastPostId?: string;
            /** Format: date-time */
            lastRecycledAt?: string;
            /**
             * Format: date-time
             * @description While active: the post is recycled at the first check (0, 6, 12, 18 h UTC) from then on.
             */
            nextRecycleAt: string;
            recycleCount: number;
            rewriteCaption: boolean;
            selections: {
                [key: string]: string[];
            };
            sourcePostId: string;
        };
        RegisteredWebhook: {
            /** Format: date-time */
            createdAt: string;
            events: ("post.published" | "post.failed" | "comment.received" | "reply.sent")[];
            id: string;
            /** @description Verifies deliveries. It is shown only once. */
            secret: string;
            url: string;
        };
        Reply: {
            accountId: string;
            commentAuthor?: string;
            commentId: string;
            commentText: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Empty until it has been written. */
            draft: string;
            /** @description Whether the AI has yet to write the draft. */
            drafting: boolean;
            /** @description The latest error, or why the reply awaits approval. */
            error?: string;
            id: string;
            platform: string;
            /** @description When sent: the reply's id on the platform. */
            platformReplyId?: string;
            /** Format: date-time */
            sentAt?: string;
            /** @enum {string} */
            source: "automation" | "api";
            /** @enum {string} */
            status: "pending" | "sending" | "sent" | "rejected" | "superseded" | "failed";
            /** @description When superseded: the reply that was sent instead. */
            supersededBy?: string;
            /** Format: date-time */
            updatedAt: string;
            url?: string;
        };
        RequestedVideo: {
            creditsRemaining: number;
            id: string;
            videoId: string;
        };
        RotatedSecret: {
            id: string;
            /**
             * Format: date-time
             * @description Until then, deliveries are also signed with the previous secret.
             */
            previousSecretUntil: string;
            /** @description The new secret. It is shown only once. */
            secret: string;
        };
        ScheduledPost: {
            caption: string;
            captionOverrides: {
                [key: string]: string;
            };
            /** Format: date-time */
            createdAt: string;
            date: string;
            firstComment?: string;
            hashtags: string[];
            /** @description The post will have the same id: GET /posts/{id} returns it once publishing has started. */
            id: string;
            /** @enum {string} */
            mediaType: "video" | "image";
            mediaUrl: string;
            /** @description When failed: the reason. */
            reason?: string;
            /** Format: date-time */
            scheduledAtUtc: string;
            selections: {
                [key: string]: string[];
            };
            /** @enum {string} */
            status: "pending" | "publishing" | "published" | "failed" | "cancelled";
            time: string;
            timezone: string;
        };
        Totals: {
            /** @description Interactions per view, for posts that report both. */
            engagementRate?: number;
            /** @description All interactions with the posts. */
            interactions?: number;
            /** @description Published posts. A post to two accounts counts twice. */
            posts: number;
            /** @description Views on YouTube, impressions on X and Pinterest; Bluesky reports none. */
            views?: number;
        };
        Video: {
            aiVoiceover: boolean;
            /** @enum {string} */
            aspectRatio: "9:16" | "1:1" | "16:9";
            /** Format: date-time */
            createdAt: string;
            creditsCharged: number;
            id: string;
            /**
             * Format: date-time
             * @description When its files were removed to make room for newer media. Their URLs are no longer returned.
             */
            mediaExpiredAt?: string;
            progressPct: number;
            prompt?: string;
            scenes: {
                aiPrompt?: string;
                error?: string;
                /** @enum {string} */
                mediaSource: "ai" | "upload";
                /** @description Its clip; for an upload, set from the start. */
                mediaUrl?: string;
                /** @enum {string} */
                status: "waiting" | "rendering" | "done" | "failed";
                voiceoverScript?: string;
            }[];
            /** @enum {string} */
            status: "draft" | "processing" | "ready" | "failed";
            /** @description The current progress, or why the video failed. */
            statusMessage: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The clip of the first scene that has one. Set when ready; usable as the mediaUrl of posts. */
            videoUrl?: string;
            voiceId?: string;
            /** @description The voiceover, as a separate audio file. */
            voiceoverUrl?: string;
        };
        WaitingAccount: {
            accountId: string;
            /** @description The previous error. */
            error?: string;
            /** Format: date-time */
            nextAttemptAt?: string;
            /**
             * @description retry: it failed and is tried again at nextAttemptAt. processing: the platform is processing it. outcome: the response to the publishing call was lost, so the platform is checked for the post until the time in until. first_comment: the post is published; its first comment is tried again at nextAttemptAt.
             * @enum {string}
             */
            reason: "retry" | "processing" | "outcome" | "first_comment";
            /**
             * Format: date-time
             * @description UTC.
             */
            since: string;
            /** Format: date-time */
            until?: string;
        };
        Webhook: {
            /** Format: date-time */
            createdAt: string;
            events: ("post.published" | "post.failed" | "comment.received" | "reply.sent")[];
            id: string;
            /**
             * Format: date-time
             * @description After a rotation: until when the previous secret still signs.
             */
            previousSecretUntil?: string;
            url: string;
        };
    };
    responses: {
        /** @description The request is valid but conflicts with the current state of the resource. */
        FailedPrecondition: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The key lacks the scope, or the resource belongs to someone else. */
        Forbidden: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service failed. Try the request again, with the same Idempotency-Key if you sent one. */
        InternalError: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description A field is missing or malformed; the message names it. */
        InvalidRequest: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The resource does not exist. */
        NotFound: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Any other error, for example for a malformed HTTP request. */
        OtherError: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The body exceeds 10 MB. */
        TooLarge: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The rate limit was reached: wait for the seconds in `Retry-After`. Or there are too few credits. */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The API key is missing, wrong or revoked. */
        Unauthorized: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Sent if this is the response to an earlier request. */
        "Idempotent-Replayed": "true";
        /** @description Seconds to wait. Not sent if the cause is too few credits. */
        "Retry-After": number;
        /** @description Requests allowed per minute or per day, whichever has fewer left. */
        "X-RateLimit-Limit": number;
        /** @description Requests left in that window. */
        "X-RateLimit-Remaining": number;
        /** @description When that window resets, in Unix epoch seconds. */
        "X-RateLimit-Reset": number;
        /** @description Identifies the request in the log. */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAccounts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Only connected platforms appear. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        accounts: {
                            [key: string]: components["schemas"]["Account"][];
                        };
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    getAccountAnalytics: {
        parameters: {
            query?: {
                asOf?: string;
                days?: number;
            };
            header?: never;
            path: {
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Medians over posts. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountAnalytics"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    getBestTimes: {
        parameters: {
            query?: {
                days?: number;
                timezone?: string;
            };
            header?: never;
            path: {
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Based on its own posts, or general guidance. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BestTimes"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listCompetitors: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        competitors: components["schemas"]["Competitor"][];
                        nextCursor: string | null;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    getAnalyticsSummary: {
        parameters: {
            query?: {
                accountId?: string;
                asOf?: string;
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Unavailable metrics are omitted, never reported as zero. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        accountId?: string;
                        /**
                         * Format: date
                         * @description The requested day.
                         */
                        asOf?: string;
                        days: number;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                        /** @description The three posts with the most views. */
                        topPosts: components["schemas"]["RankedPost"][];
                        totals: components["schemas"]["Totals"];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listTopPosts: {
        parameters: {
            query?: {
                accountId?: string;
                asOf?: string;
                cursor?: string;
                days?: number;
                limit?: number;
                sort?: "views" | "likes" | "comments";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. Posts without the metric are left out. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        nextCursor: string | null;
                        posts: components["schemas"]["RankedPost"][];
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listComments: {
        parameters: {
            query?: {
                accountId?: string;
                cursor?: string;
                dismissed?: unknown;
                limit?: number;
                platform?: "instagram" | "facebook" | "threads" | "youtube" | "linkedin" | "bluesky" | "x";
                replied?: unknown;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        comments: components["schemas"]["Comment"][];
                        nextCursor: string | null;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    checkCommentsNow: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat within 24 hours returns the first response; nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Only this account. */
                    accountId?: string;
                    /**
                     * @description Only accounts on this platform.
                     * @enum {string}
                     */
                    platform?: "instagram" | "facebook" | "threads" | "youtube" | "linkedin" | "bluesky" | "x";
                };
            };
        };
        responses: {
            /** @description Each account is checked within seconds of its checkAt. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommentChecks"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["FailedPrecondition"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    dismissComment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description From GET /comments. */
                    accountId: string;
                    /** @description `id` of GET /comments. */
                    commentId: string;
                    /**
                     * @description From GET /comments.
                     * @enum {string}
                     */
                    platform: "instagram" | "facebook" | "threads" | "youtube" | "linkedin" | "bluesky" | "x";
                };
            };
        };
        responses: {
            /** @description The comment. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comment"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    replyToComment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat within 24 hours returns the first response; nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description From GET /comments. */
                    accountId: string;
                    commentCid?: string;
                    /** @description `id` of GET /comments. */
                    commentId: string;
                    /** @description Sent immediately, with no AI and no review. */
                    directText?: string;
                    /**
                     * @description Whether directText is sent to a comment that already has a reply.
                     * @default send
                     * @enum {string}
                     */
                    ifReplied?: "send" | "refuse";
                    /** @description One-off instruction for the AI. */
                    instruction?: string;
                    /**
                     * @description From GET /comments.
                     * @enum {string}
                     */
                    platform: "instagram" | "facebook" | "threads" | "youtube" | "linkedin" | "bluesky" | "x";
                    /** @description Required for linkedin. */
                    postUrn?: string;
                    rootCid?: string;
                    /** @description Required for bluesky, with rootCid and commentCid. */
                    rootUri?: string;
                    /** @description The comment's text, used for the AI draft. */
                    text: string;
                };
            };
        };
        responses: {
            /** @description The reply. Drafting or sending may still be in progress. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reply"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["FailedPrecondition"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    getCredits: {
        parameters: {
            query?: {
                at?: unknown;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        credits: number;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listCreditEvents: {
        parameters: {
            query?: {
                at?: unknown;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["HistoryEntry"][];
                        nextCursor: string | null;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listCreditEntries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: components["schemas"]["CreditEntry"][];
                        nextCursor: string | null;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                after?: string;
                event?: ("post.published" | "post.failed" | "comment.received" | "reply.sent")[];
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next events, each identical to the body of its delivery. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["Event"][];
                        /** @description Pass it as `after` to continue. Never null, even if there is nothing new. */
                        nextCursor: string;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listPosts: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        nextCursor: string | null;
                        posts: components["schemas"]["Post"][];
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    queuePost: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat within 24 hours returns the first response; nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Shared caption for every selected account.
                     * @default
                     */
                    caption?: string;
                    /**
                     * @description Platform key to the caption that replaces the shared one there.
                     * @default {}
                     */
                    captionOverrides?: {
                        [key: string]: string;
                    };
                    /** @description Posted as the first comment; Facebook and Instagram only. */
                    firstComment?: string;
                    /**
                     * @description Appended to the caption.
                     * @default []
                     */
                    hashtags?: string[];
                    /** @enum {string} */
                    mediaType: "video" | "image";
                    /** @description Public URL of the video or image. */
                    mediaUrl: string;
                    /** @description Platform key to array of account ids. */
                    selections: {
                        [key: string]: string[];
                    };
                };
            };
        };
        responses: {
            /** @description Queued. Poll GET /posts/{id} with the runId. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueuedPost"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    getPost: {
        parameters: {
            query?: {
                at?: unknown;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The post. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    getPostAnalytics: {
        parameters: {
            query: {
                platform: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Totals, and the metrics of each account. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostAnalytics"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["FailedPrecondition"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listPostEvents: {
        parameters: {
            query?: {
                at?: unknown;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["HistoryEntry"][];
                        nextCursor: string | null;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    retryPost: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat within 24 hours returns the first response; nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Only the accounts that failed on this platform are retried. */
                    platform: string;
                };
            };
        };
        responses: {
            /** @description The post, which is being published again. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Post"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["FailedPrecondition"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    previewPost: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Shared caption for every selected account.
                     * @default
                     */
                    caption?: string;
                    /**
                     * @description Platform key to the caption that replaces the shared one there.
                     * @default {}
                     */
                    captionOverrides?: {
                        [key: string]: string;
                    };
                    /** @description Posted as the first comment; Facebook and Instagram only. */
                    firstComment?: string;
                    /**
                     * @description Appended to the caption.
                     * @default []
                     */
                    hashtags?: string[];
                    /** @enum {string} */
                    mediaType: "video" | "image";
                    /** @description Public URL of the video or image. */
                    mediaUrl: string;
                    /** @description Platform key to array of account ids. */
                    selections: {
                        [key: string]: string[];
                    };
                };
            };
        };
        responses: {
            /** @description One item per account. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        previews: components["schemas"]["Preview"][];
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    schedulePost: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat within 24 hours returns the first response; nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Shared caption for every selected account.
                     * @default
                     */
                    caption?: string;
                    /**
                     * @description Platform key to the caption that replaces the shared one there.
                     * @default {}
                     */
                    captionOverrides?: {
                        [key: string]: string;
                    };
                    /** @description Calendar date, year-month-day. */
                    date: string;
                    /** @description Posted as the first comment; Facebook and Instagram only. */
                    firstComment?: string;
                    /**
                     * @description Appended to the caption.
                     * @default []
                     */
                    hashtags?: string[];
                    /** @enum {string} */
                    mediaType: "video" | "image";
                    /** @description Public URL of the video or image. */
                    mediaUrl: string;
                    /** @description Platform key to array of account ids. */
                    selections: {
                        [key: string]: string[];
                    };
                    /**
                     * @description Hour:minute, 24-hour clock.
                     * @default 09:00
                     */
                    time?: string;
                    /**
                     * @description IANA name, such as Europe/Berlin.
                     * @default UTC
                     */
                    timezone?: string;
                };
            };
        };
        responses: {
            /** @description Scheduled. The post will have the same id. */
            201: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledPost"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listRecyclingRules: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        nextCursor: string | null;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                        rules: components["schemas"]["RecyclingRule"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    addRecyclingRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat within 24 hours returns the first response; nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Days between reposts, at least 1.
                     * @default 30
                     */
                    intervalDays?: number;
                    /**
                     * @description Whether the AI rewrites the caption for each repost.
                     * @default false
                     */
                    rewriteCaption?: boolean;
                    /** @description Platform key to array of account ids. Default: the accounts that the source post succeeded on. */
                    selections?: {
                        [key: string]: string[];
                    };
                    /** @description A published post. */
                    sourcePostId: string;
                };
            };
        };
        responses: {
            /** @description Added. The first interval starts now. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecyclingRule"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["FailedPrecondition"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    getRecyclingRule: {
        parameters: {
            query?: {
                at?: unknown;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rule. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecyclingRule"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    deleteRecyclingRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. The rule no longer recycles anything. */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    changeRecyclingRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description false pauses the rule. */
                    active?: boolean;
                    /** @description Days between reposts, at least 1. */
                    intervalDays?: number;
                    /** @description Whether the AI rewrites the caption for each repost. */
                    rewriteCaption?: boolean;
                    /** @description Platform key to array of account ids. */
                    selections?: {
                        [key: string]: string[];
                    };
                };
            };
        };
        responses: {
            /** @description The updated rule. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecyclingRule"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listRecyclingRuleEvents: {
        parameters: {
            query?: {
                at?: unknown;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["HistoryEntry"][];
                        nextCursor: string | null;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    runRecyclingRuleNow: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat within 24 hours returns the first response; nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The post is recycled within seconds. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecyclingRule"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["FailedPrecondition"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listPendingReplies: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                status?: unknown;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        nextCursor: string | null;
                        replies: components["schemas"]["Reply"][];
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    getReply: {
        parameters: {
            query?: {
                at?: unknown;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The reply. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reply"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    editReply: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The new draft. It is not sent. */
                    text: string;
                };
            };
        };
        responses: {
            /** @description The reply with its new draft. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reply"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["FailedPrecondition"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    approveReply: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat within 24 hours returns the first response; nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Sent instead of the draft. */
                    editedText?: string;
                };
            };
        };
        responses: {
            /** @description The reply. Sending may still be in progress. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reply"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["FailedPrecondition"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listReplyEvents: {
        parameters: {
            query?: {
                at?: unknown;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["HistoryEntry"][];
                        nextCursor: string | null;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    regenerateReply: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat within 24 hours returns the first response; nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What the AI should change. */
                    context: string;
                };
            };
        };
        responses: {
            /** @description The reply with its new draft. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reply"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["FailedPrecondition"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    rejectReply: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The rejected reply. It is not sent. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reply"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["FailedPrecondition"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listFeeds: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        feeds: components["schemas"]["Feed"][];
                        nextCursor: string | null;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    addFeed: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat within 24 hours returns the first response; nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Only `{title}` and `{link}` are replaced.
                     * @default {title}
                     *
                     *     {link}
                     */
                    captionTemplate?: string;
                    /**
                     * @description At least 15.
                     * @default 60
                     */
                    checkIntervalMinutes?: number;
                    /** @description Platform key to array of account ids; only facebook, instagram, threads, pinterest, bluesky. */
                    selections: {
                        [key: string]: string[];
                    };
                    /** @description RSS 2.0 or Atom feed. */
                    url: string;
                };
            };
        };
        responses: {
            /** @description Added. Items already in the feed are not posted. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feed"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["FailedPrecondition"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    getFeed: {
        parameters: {
            query?: {
                at?: unknown;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feed"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    deleteFeed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. New items are no longer posted. */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    changeFeed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description false pauses the feed. */
                    active?: boolean;
                    /** @description Only `{title}` and `{link}` are replaced. */
                    captionTemplate?: string;
                    /** @description At least 15. */
                    checkIntervalMinutes?: number;
                    /** @description Platform key to array of account ids; only facebook, instagram, threads, pinterest, bluesky. */
                    selections?: {
                        [key: string]: string[];
                    };
                };
            };
        };
        responses: {
            /** @description The updated feed. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feed"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    checkFeedNow: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat within 24 hours returns the first response; nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed is checked within seconds. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Feed"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["FailedPrecondition"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listFeedEvents: {
        parameters: {
            query?: {
                at?: unknown;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["HistoryEntry"][];
                        nextCursor: string | null;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listFeedItems: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["FeedItem"][];
                        nextCursor: string | null;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listScheduledPosts: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        nextCursor: string | null;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                        scheduledPosts: components["schemas"]["ScheduledPost"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    getScheduledPost: {
        parameters: {
            query?: {
                at?: unknown;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scheduled post. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledPost"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    cancelScheduledPost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Cancelled. It will not be published. */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["FailedPrecondition"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    reschedulePost: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Calendar date, year-month-day. */
                    date?: string;
                    /** Format: date-time */
                    scheduledAtUtc?: string;
                    /** @description Hour:minute, 24-hour clock. */
                    time?: string;
                };
            };
        };
        responses: {
            /** @description The scheduled post with its new time. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduledPost"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["FailedPrecondition"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listVideos: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        nextCursor: string | null;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                        videos: components["schemas"]["Video"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    requestVideo: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat within 24 hours returns the first response; nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Adds a voiceover as a separate file.
                     * @default false
                     */
                    aiVoiceover?: boolean;
                    /**
                     * @default 9:16
                     * @enum {string}
                     */
                    aspectRatio?: "9:16" | "1:1" | "16:9";
                    /** @description Subject of the video; becomes its only scene if scenes is omitted. */
                    prompt?: string;
                    /**
                     * @description Only saves the settings: nothing is generated or charged.
                     * @default false
                     */
                    saveAsDraft?: boolean;
                    scenes?: {
                        /** @description Prompt of an ai scene. Default: the prompt of the video. */
                        aiPrompt?: string;
                        /**
                         * @description Default: upload if there is a mediaUrl, otherwise ai.
                         * @enum {string}
                         */
                        mediaSource?: "ai" | "upload";
                        /** @description Public URL of the video of an upload scene. */
                        mediaUrl?: string;
                        /** @description Voiceover text of the scene. */
                        voiceoverScript?: string;
                    }[];
                    /** @description Default: the configured voice. */
                    voiceId?: string;
                };
            };
        };
        responses: {
            /** @description Started. Poll GET /videos/{id} with the videoId. */
            202: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestedVideo"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["FailedPrecondition"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    getVideo: {
        parameters: {
            query?: {
                at?: unknown;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The video. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Video"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    deleteVideo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        deleted: true;
                        id: string;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listVideoEvents: {
        parameters: {
            query?: {
                at?: unknown;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["HistoryEntry"][];
                        nextCursor: string | null;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        nextCursor: string | null;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                        webhooks: components["schemas"]["Webhook"][];
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    registerWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat within 24 hours returns the first response; nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The events to receive. */
                    events: ("post.published" | "post.failed" | "comment.received" | "reply.sent")[];
                    /** @description Where deliveries are sent. */
                    url: string;
                };
            };
        };
        responses: {
            /** @description Registered. The secret is shown only once. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegisteredWebhook"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["FailedPrecondition"];
            413: components["responses"]["TooLarge"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    getWebhook: {
        parameters: {
            query?: {
                at?: unknown;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook, without its secret. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. Nothing more is delivered to it. */
            204: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                status?: "pending" | "delivered" | "failed";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: components["schemas"]["Delivery"][];
                        nextCursor: string | null;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    getDelivery: {
        parameters: {
            query?: {
                at?: unknown;
            };
            header?: never;
            path: {
                deliveryId: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listDeliveryEvents: {
        parameters: {
            query?: {
                at?: unknown;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                deliveryId: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["HistoryEntry"][];
                        nextCursor: string | null;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    resendDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat within 24 hours returns the first response; nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                deliveryId: string;
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is sent immediately. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["FailedPrecondition"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    listWebhookEvents: {
        parameters: {
            query?: {
                at?: unknown;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        events: components["schemas"]["HistoryEntry"][];
                        nextCursor: string | null;
                        /** @description Identifies the request in the log; also sent in the header `X-Request-Id`. */
                        requestId: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat within 24 hours returns the first response; nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new secret, shown only once. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedSecret"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["FailedPrecondition"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A repeat within 24 hours returns the first response; nothing is done twice. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is sent immediately. */
            200: {
                headers: {
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            default: components["responses"]["OtherError"];
        };
    };
}
