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
         * Connected accounts, by platform
         * @description Their ids go into selections. An account that needs_reauth has to be connected again by its owner before anything goes out on it.
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
         * Totals of one account, and which formats and hashtags do well
         * @description Medians for each format and hashtag, so that one lucky post does not decide. asOf tells what was known on a day in the past.
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
         * When, what and how often to post on one account
         * @description basedOn says general when there are fewer than 5 posts to go by: then it is what holds in general.
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
         * Tracked competitors, the last added first
         * @description With followers, posting frequency and engagement as they were last seen. They are added on the command line.
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
         * Totals of one account or of all, and the three posts with the most views
         * @description Of posts on youtube, x, pinterest and bluesky that went out within the last days.
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
         * Posts ranked by views, likes or comments, the highest first
         * @description What a platform does not tell is not ranked.
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
         * Comments and mentions of the last 7 days, newest first
         * @description Of all connected accounts on instagram, facebook, threads, youtube, linkedin and bluesky, and mentions on x. Each has what replyToComment asks for.
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
         * Look for comments at once, of all accounts or of those named
         * @description Accounts are looked at every few minutes anyway; how often more is allowed depends on the platform's quota.
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
         * Mark a comment as handled without a reply
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
         * Answer a comment at once, or have the AI draft an answer into the review queue
         * @description With directText this exact text is sent to the public at once. Without it the AI writes a draft, which waits in listPendingReplies until approveReply sends it; a comment has one open draft, and asking again returns it. Everything else is copied from listComments.
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
         * The AI credits that are left; only POST /videos spends them
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
         * What happened to the credits, oldest first
         * @description The log itself: who did what, and when.
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
         * Every credit that was granted, charged or refunded, newest first
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
         * Events, oldest first; ask again with `after` for what is new
         * @description The same that webhooks are told, kept from the beginning. nextCursor is never null: pass it as after to get what has happened since.
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
         * Posts, newest first
         * @description Of all origins: the API, schedules, feeds and recycling rules.
         *
         *     Scope: `posts:read`.
         */
        get: operations["listPosts"];
        put?: never;
        /**
         * Publish media to accounts, in the background
         * @description It goes out to the public at once and can not be called back. Every post has an image or a video, given by public URL; the service fetches it itself. An account that does not exist or a platform rule that is broken is no error here: it shows as a failure of that account in getPost. Look at it with previewPost first.
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
         * One post with its result per account
         * @description Its status is processing until every account has settled, then published when at least one has it, else publish_failed. publishResults tells for each account its permalink or why it failed, waiting what an account without a result is waiting for.
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
         * The numbers of one post on one platform, as they are now
         * @description Asks the platform, so it is as new as that. Only for youtube, x, pinterest and bluesky. What the platform does not tell is absent, never zero.
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
         * What happened to a post, oldest first
         * @description The log itself: who did what, each attempt and each answer, with a sentence for each.
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
         * Try the accounts again that failed on one platform
         * @description Accounts that have the post are left alone. One whose outcome is unknown is looked up on the platform before anything is sent again. Refused with failed_precondition while the platform is still at work or when nothing has failed there.
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
         * What would become of a post on each account; nothing is published
         * @description Takes what queuePost takes, fetches the media, and tells for each account the final text, whether the account works, and every rule of the platform that would be broken.
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
         * @description Date and time are read in timezone, which is UTC unless it is given. A time in the past is refused. It may be changed or cancelled until then.
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
         * Recycling rules, newest first
         * @description With when each was last recycled and when it is next.
         *
         *     Scope: `recycling:read`.
         */
        get: operations["listRecyclingRules"];
        put?: never;
        /**
         * Publish a published post anew every so many days
         * @description The source has to be a post that is published. Without selections it goes to the accounts that it succeeded on. The first turn comes after intervalDays; rewriteCaption has the AI write the caption anew each time.
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
         * One recycling rule
         * @description With when it was last recycled and when it is next.
         *
         *     Scope: `recycling:read`.
         */
        get: operations["getRecyclingRule"];
        put?: never;
        post?: never;
        /**
         * Forget a recycling rule
         * @description Nothing is recycled by it any more. What was posted stays.
         *
         *     Scope: `recycling:write`.
         */
        delete: operations["deleteRecyclingRule"];
        options?: never;
        head?: never;
        /**
         * Change, pause or resume a recycling rule
         * @description Only what is given is changed; active false pauses it.
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
         * What happened to a recycling rule, oldest first
         * @description The log itself: who did what, each attempt and each answer, with a sentence for each.
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
         * Publish the post of a rule anew at once
         * @description It goes out to the public within seconds.
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
         * The review inbox, newest first
         * @description Drafts that wait for approval, those that are being sent, and those that have failed.
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
         * One reply, also after it was decided on
         * @description Its status is pending until it is decided on, then sending and sent, or rejected, or failed with an error.
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
         * Overwrite a draft; it is not sent
         * @description The draft before is gone. approveReply sends it.
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
         * Send a reply, as drafted or as edited
         * @description It is published at once. With editedText that is sent in place of the draft. Refused with failed_precondition when it is already sent, or when the comment was answered since it was drafted.
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
         * What happened to a reply, oldest first
         * @description The log itself: who did what, each attempt and each answer, with a sentence for each.
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
         * @description context says what is to be different. The draft before is gone; nothing is sent.
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
         * @description It can not be approved any more.
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
         * Feeds, newest first
         * @description With when each was last checked and what was wrong.
         *
         *     Scope: `rss:read`.
         */
        get: operations["listFeeds"];
        put?: never;
        /**
         * Post the new items of an RSS or Atom feed
         * @description What is in the feed by now is not posted, only what comes after. Items without a picture are skipped. Only for facebook, instagram, threads, pinterest and bluesky.
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
         * One feed
         * @description With when it was last checked, and what was wrong with it then.
         *
         *     Scope: `rss:read`.
         */
        get: operations["getFeed"];
        put?: never;
        post?: never;
        /**
         * Forget a feed
         * @description Nothing of it is posted any more. What was posted stays.
         *
         *     Scope: `rss:write`.
         */
        delete: operations["deleteFeed"];
        options?: never;
        head?: never;
        /**
         * Change, pause or resume a feed; it is then checked at once
         * @description Only what is given is changed; active false pauses it.
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
         * Have a feed checked at once
         * @description Posts what is new in it within about a minute, without waiting for its interval.
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
         * What happened to a feed, oldest first
         * @description The log itself: who did what, each attempt and each answer, with a sentence for each.
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
         * What became of the items of a feed, newest first
         * @description Which were posted, as which post, and why others were skipped.
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
         * Pending scheduled posts, soonest first
         * @description Only those that still wait. Those that have gone out are among the posts.
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
         * One scheduled post, also after its time
         * @description Its id is the id of the post that it becomes.
         *
         *     Scope: `posts:read`.
         */
        get: operations["getScheduledPost"];
        put?: never;
        post?: never;
        /**
         * Cancel a pending scheduled post
         * @description It will not go out. Refused with failed_precondition once it is being published.
         *
         *     Scope: `posts:write`.
         */
        delete: operations["cancelScheduledPost"];
        options?: never;
        head?: never;
        /**
         * Another time for a pending scheduled post
         * @description Give scheduledAtUtc, or date and time in the zone that it was scheduled in. Refused with failed_precondition once it is being published.
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
         * Videos, newest first
         * @description With the progress of those that are being made.
         *
         *     Scope: `videos:read`.
         */
        get: operations["listVideos"];
        put?: never;
        /**
         * Have a video made, in the background; it costs credits
         * @description Give a prompt, or scenes that each have an aiPrompt or an uploaded mediaUrl. Credits are charged at once, one for each scene that is made and one for a voiceover unless the operator has set other prices, and are paid back when it fails. Its videoUrl can be posted once getVideo says ready.
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
         * One video with its progress and its clips
         * @description Its status is processing until it is ready or failed; statusMessage tells why.
         *
         *     Scope: `videos:read`.
         */
        get: operations["getVideo"];
        put?: never;
        post?: never;
        /**
         * Delete a video and its files for good; one that is being made is cancelled and paid back
         * @description Its files are gone, also from posts that still have to fetch them.
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
         * What happened to a video, oldest first
         * @description The log itself: who did what, each attempt and each answer, with a sentence for each.
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
         * Webhooks, newest first
         * @description Without their secrets.
         *
         *     Scope: `webhooks:read`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Have an address told of events
         * @description The secret that verifies deliveries is answered this once. The address has to be one that the service may reach: none of a private network, unless its operator allows it.
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
         * One webhook
         * @description Scope: `webhooks:read`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Forget a webhook
         * @description Deliveries that still wait are given up.
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
         * Deliveries of a webhook, newest first
         * @description With the attempts so far, the last error, and when the next one is.
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
         * One delivery of a webhook, with each of its attempts
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
         * What happened to a delivery, oldest first
         * @description The log itself: who did what, each attempt and each answer, with a sentence for each.
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
         * Send a delivery once more, with all its retries
         * @description The body is the same, and so is its id: receivers that drop what they know drop it.
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
         * What happened to a webhook, oldest first
         * @description The log itself: who did what, each attempt and each answer, with a sentence for each.
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
         * Give a webhook a new secret; the one before still signs for 24 hours
         * @description The new secret is answered this once.
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
         * Send an event of its own kind, `webhook.test`, to a webhook
         * @description It is signed and tried again like any other.
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
            /** @description Why the numbers of its posts could not be fetched last time. */
            analyticsError?: string;
            /**
             * @description What is done about new comments.
             * @enum {string}
             */
            automation: "off" | "review" | "auto";
            /** @description Why its comments could not be fetched last time. */
            commentsError?: string;
            /** @description Account id; used inside `selections`. */
            id: string;
            label: string;
            /** @description When needs_reauth: why its owner has to connect it again. */
            reason?: string;
            /**
             * Format: date-time
             * @description When resting: the platform takes nothing more until then.
             */
            restsUntil?: string;
            /** @enum {string} */
            status: "ready" | "resting" | "needs_reauth";
        };
        AccountAnalytics: {
            accountId: string;
            /**
             * Format: date
             * @description The day that it was asked for.
             */
            asOf?: string;
            days: number;
            /** @description Now; absent when the platform does not tell, or of a day in the past. */
            followers?: number;
            /** @description The best first. */
            formats: {
                /** @enum {string} */
                format: "video" | "image";
                medianInteractions?: number;
                medianViews?: number;
                posts: number;
            }[];
            /** @description The best first. */
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
        /** @description What every answer carries. */
        Answer: {
            /** @description Names the request in the log; also in the header `X-Request-Id`. */
            requestId: string;
        };
        BestTimes: {
            accountId: string;
            /**
             * @description general: there are fewer than 5 posts that tell their interactions.
             * @enum {string}
             */
            basedOn: "history" | "general";
            /** @description The best first. */
            bestDays: {
                medianInteractions?: number;
                medianViews?: number;
                posts?: number;
                /** @enum {string} */
                weekday: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
            }[];
            /** @description The best first. */
            bestTimes: {
                /** @description 9 is from 9:00 to 9:59, in the time zone. */
                hour: number;
                medianInteractions?: number;
                medianViews?: number;
                posts?: number;
                /** @enum {string} */
                weekday: "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
            }[];
            days: number;
            /** @description The best first. */
            formats: {
                /** @enum {string} */
                format: "video" | "image";
                medianInteractions?: number;
                medianViews?: number;
                posts?: number;
            }[];
            /** @description When general: in words. */
            guidance?: string[];
            /** @enum {string} */
            platform: "instagram" | "youtube" | "x" | "facebook" | "threads" | "tiktok" | "linkedin" | "bluesky" | "pinterest" | "googlebusiness";
            postingFrequency: {
                /** @description As it was. */
                postsPerWeek?: number;
                /** @description With which posts did best; absent when nothing tells. */
                recommendedPostsPerWeek?: number;
            };
            /** @description That this is based on, or that there are. */
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
            /** @description The platform's own id of it. */
            id: string;
            /** @enum {string} */
            kind: "comment" | "mention";
            /** @enum {string} */
            platform: "instagram" | "youtube" | "x" | "facebook" | "threads" | "tiktok" | "linkedin" | "bluesky" | "pinterest" | "googlebusiness";
            /** @description The post it stands under, as in publishResults. */
            postId?: string;
            postUrn?: string;
            /** @description Also when it was answered on the platform itself, where that is told. */
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
                 * @description When it is looked at, at the latest.
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
            /** @description How many more than 30 days before; absent while it is not known. */
            followersChange30d?: number;
            /** @description As people write it, without @. */
            handle: string;
            id: string;
            /** @description Mean over the posts of the last 30 days. */
            interactionsPerPost?: number;
            label: string;
            /** @description Why it is not newer. */
            lastError?: string;
            /**
             * Format: date-time
             * @description When the platform told all this.
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
            /** @description Always positive: the kind tells which way. */
            amount: number;
            /** @description After it. */
            balance: number;
            /** Format: date-time */
            createdAt: string;
            id: string;
            /** @enum {string} */
            kind: "granted" | "charged" | "refunded";
            /** @description Of a grant: what for. Of a refund: failed or deleted. */
            reason?: string;
            videoId?: string;
        };
        Delivery: {
            /** @description The latest 50 attempts, the oldest first. */
            attemptLog: {
                /** Format: date-time */
                at: string;
                durationMs: number;
                error: string | null;
                /** @description null: there was no answer. */
                statusCode: number | null;
            }[];
            /** @description Attempts made so far. */
            attempts: number;
            /** Format: date-time */
            createdAt: string;
            /** @enum {string} */
            event: "post.published" | "post.failed" | "comment.received" | "reply.sent" | "webhook.test";
            /** @description The same for every webhook, and in GET /events. */
            eventId: string;
            id: string;
            /** @description Of the last attempt that failed. */
            lastError: string | null;
            /**
             * Format: date-time
             * @description While it is pending.
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
                /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
            /** @description What is wrong, while the last check failed. */
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
            /** @description When skipped: why. */
            reason?: string;
            /** Format: date-time */
            seenAt: string;
            /**
             * @description seeded: it was there when the feed was added.
             * @enum {string}
             */
            status: "seeded" | "posted" | "skipped";
            title: string;
        };
        HistoryEntry: {
            /** Format: date-time */
            at: string;
            /** @description The API key, the user of the dashboard, the command line or the reactor. */
            by: {
                id: string;
                /** @enum {string} */
                kind: "api-key" | "user" | "cli" | "reactor";
                label?: string;
            };
            causationId: string;
            /** @description The same for all that one request has led to. */
            correlationId: string;
            /** @description The event as it is kept. It holds no secret. */
            data: {
                [key: string]: unknown;
            };
            requestId?: string;
            /** @description Counts from 0; none is ever missing. */
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
                    /** @description The platform’s own id of the post. */
                    postId: string;
                    /** @description Its permalink. */
                    url?: string;
                } | {
                    accountId?: string;
                    error: string;
                    /** @constant */
                    ok: false;
                    /**
                     * @description The platform may have taken the post; nothing can tell.
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
            /** @description Platform key to the accounts that cannot go on just now. Empty when nothing has to wait. */
            waiting: {
                [key: string]: components["schemas"]["WaitingAccount"][];
            };
        };
        PostAnalytics: {
            accounts: {
                accountId: string;
                /**
                 * Format: date-time
                 * @description When the platform told them.
                 */
                capturedAt?: string;
                /** @description Why they are not newer, or not there. */
                error?: string;
                /** @description As the platform calls them. What it does not tell is absent, never zero. */
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
            /** @description The sums over the accounts. What the platform does not tell is absent, never zero. */
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
            /** @description The platform’s own id of the post, on the first account. */
            postId: string;
        };
        Preview: {
            accountId?: string;
            /** @description The text as it would go out. */
            caption: string;
            /** @description What the media is; absent when it could not be fetched. */
            media?: {
                bytes: number;
                durationMs?: number;
                height?: number;
                /** @enum {string} */
                mediaType: "video" | "image";
                /** @description By content. */
                mimeType: string;
                width?: number;
            };
            platform: string;
            /** @description Every rule that would be broken; empty: it would go out. */
            problems: string[];
            token?: {
                /** @description When the access token ends; it is renewed before. */
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
             * @description When the platform told these numbers.
             */
            capturedAt: string;
            comments?: number;
            /** @enum {string} */
            format: "video" | "image";
            hashtags: string[];
            /** @description As GET /posts/{id} has it. */
            id: string;
            interactions?: number;
            likes?: number;
            /** @description As the platform calls them. What it does not tell is absent, never zero. */
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
            /** @description The platform’s own id of the post. */
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
            /** @description Why the last turn failed; it is made at the next check. */
            lastError?: string;
            /** @description What the last turn made: see GET /posts/{id}. */
            lastPostId?: string;
            /** Format: date-time */
            lastRecycledAt?: string;
            /**
             * Format: date-time
             * @description While it is active: recycled at the first check (0, 6, 12, 18 h UTC) from then on.
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
            /** @description Verifies deliveries. It is shown this once. */
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
            /** @description Empty until there is one. */
            draft: string;
            /** @description Whether the AI is still to write it. */
            drafting: boolean;
            /** @description What went wrong last, or why it waits for approval. */
            error?: string;
            id: string;
            platform: string;
            /** @description Once it was sent: the platform's own id of it. */
            platformReplyId?: string;
            /** Format: date-time */
            sentAt?: string;
            /** @enum {string} */
            source: "automation" | "api";
            /** @enum {string} */
            status: "pending" | "sending" | "sent" | "rejected" | "superseded" | "failed";
            /** @description The reply that was sent instead, once it is superseded. */
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
             * @description Until then deliveries are signed with the one before as well.
             */
            previousSecretUntil: string;
            /** @description The new one. It is shown this once. */
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
            /** @description The post will have the same id: GET /posts/{id} knows it once it is being published. */
            id: string;
            /** @enum {string} */
            mediaType: "video" | "image";
            mediaUrl: string;
            /** @description When failed: why. */
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
            /** @description Interactions to a view, of the posts that tell both. */
            engagementRate?: number;
            /** @description Everything that people did with the posts. */
            interactions?: number;
            /** @description That went out. One that went to two accounts counts twice. */
            posts: number;
            /** @description YouTube’s views, X’s and Pinterest’s impressions; Bluesky tells none. */
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
             * @description When its files were removed to make room for newer media; it has no URLs of them any more.
             */
            mediaExpiredAt?: string;
            progressPct: number;
            prompt?: string;
            scenes: {
                aiPrompt?: string;
                error?: string;
                /** @enum {string} */
                mediaSource: "ai" | "upload";
                /** @description Its clip: of an upload from the beginning. */
                mediaUrl?: string;
                /** @enum {string} */
                status: "waiting" | "rendering" | "done" | "failed";
                voiceoverScript?: string;
            }[];
            /** @enum {string} */
            status: "draft" | "processing" | "ready" | "failed";
            /** @description What is being done, or why it failed. */
            statusMessage: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The first scene that has a clip. Set when ready; usable as mediaUrl of posts. */
            videoUrl?: string;
            voiceId?: string;
            /** @description The voiceover, an audio file of its own. */
            voiceoverUrl?: string;
        };
        WaitingAccount: {
            accountId: string;
            /** @description What went wrong before. */
            error?: string;
            /** Format: date-time */
            nextAttemptAt?: string;
            /**
             * @description retry: it failed and is tried again at nextAttemptAt. processing: the platform is at work on it. outcome: the answer to the publishing call was lost, so the post is looked for on the platform, until the time in until. first_comment: the post is out, its first comment is tried again at nextAttemptAt.
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
             * @description While the secret before still signs: until when.
             */
            previousSecretUntil?: string;
            url: string;
        };
    };
    responses: {
        /** @description The request is valid, but not in the state that things are in. */
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
        /** @description The service failed. Repeat the request, under the same Idempotency-Key where there is one. */
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
        /** @description There is no such resource. */
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
        /** @description Any other error, such as of a request that is no HTTP. */
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
        /** @description The body is over 10 MB. */
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
        /** @description The rate limit is hit: wait for the seconds of `Retry-After`. Or there are too few credits. */
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
        /** @description There is no key, or it is wrong or revoked. */
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
        /** @description When it is the answer to an earlier request. */
        "Idempotent-Replayed": "true";
        /** @description Seconds to wait. Not where credits are what lacks. */
        "Retry-After": number;
        /** @description How many requests the window takes, of minute and day the one that is nearer to its end. */
        "X-RateLimit-Limit": number;
        /** @description How many of them are left. */
        "X-RateLimit-Remaining": number;
        /** @description When it begins anew, in Unix epoch seconds. */
        "X-RateLimit-Reset": number;
        /** @description Names the request in the log. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
            /** @description By its own posts, or what holds in general. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
            /** @description What nobody tells is absent, never zero. */
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
                         * @description The day that it was asked for.
                         */
                        asOf?: string;
                        days: number;
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
                        requestId: string;
                        /** @description The three with the most views. */
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
            /** @description One page. What does not tell the number is not ranked. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                /** @description A repeat within 24 hours is given the first answer, and nothing is done again. */
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
                     * @description Only accounts of this platform.
                     * @enum {string}
                     */
                    platform?: "instagram" | "facebook" | "threads" | "youtube" | "linkedin" | "bluesky" | "x";
                };
            };
        };
        responses: {
            /** @description Each is looked at within seconds of its time. */
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
                /** @description A repeat within 24 hours is given the first answer, and nothing is done again. */
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
                    /** @description Sent at once, with no AI and no review. */
                    directText?: string;
                    /**
                     * @description Whether directText is sent to a comment that already has a reply.
                     * @default send
                     * @enum {string}
                     */
                    ifReplied?: "send" | "refuse";
                    /** @description For the AI, this once. */
                    instruction?: string;
                    /**
                     * @description From GET /comments.
                     * @enum {string}
                     */
                    platform: "instagram" | "facebook" | "threads" | "youtube" | "linkedin" | "bluesky" | "x";
                    /** @description Required for linkedin. */
                    postUrn?: string;
                    rootCid?: string;
                    /** @description Required for bluesky, as rootCid and commentCid. */
                    rootUri?: string;
                    /** @description The comment's own text, used for the AI draft. */
                    text: string;
                };
            };
        };
        responses: {
            /** @description The reply. It may still be drafted or sent. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
            /** @description What comes next. Each is what the body of its delivery is. */
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
                        /** @description Where to go on: the next `after`. Never null, also when there is nothing new. */
                        nextCursor: string;
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                /** @description A repeat within 24 hours is given the first answer, and nothing is done again. */
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
                    /** @description Posted as first comment; Facebook and Instagram only. */
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
            /** @description The sums, and each account’s own. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                /** @description A repeat within 24 hours is given the first answer, and nothing is done again. */
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
                    /** @description Only the accounts that failed on this platform are tried again. */
                    platform: string;
                };
            };
        };
        responses: {
            /** @description The post, being published again. */
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
                    /** @description Posted as first comment; Facebook and Instagram only. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                /** @description A repeat within 24 hours is given the first answer, and nothing is done again. */
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
                    /** @description Posted as first comment; Facebook and Instagram only. */
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
                     * @description Hour:minute, of 24 hours.
                     * @default 09:00
                     */
                    time?: string;
                    /**
                     * @description IANA name, as Europe/Berlin.
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                /** @description A repeat within 24 hours is given the first answer, and nothing is done again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Days from one turn to the next, at least 1.
                     * @default 30
                     */
                    intervalDays?: number;
                    /**
                     * @description Whether the AI rewrites the caption at each turn.
                     * @default false
                     */
                    rewriteCaption?: boolean;
                    /** @description Platform key to array of account ids. Default: the accounts that the source post succeeded on. */
                    selections?: {
                        [key: string]: string[];
                    };
                    /** @description A post that is published. */
                    sourcePostId: string;
                };
            };
        };
        responses: {
            /** @description Added. Its first turn is counted from now. */
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
            /** @description Nothing is recycled by it any more. */
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
                    /** @description false pauses it. */
                    active?: boolean;
                    /** @description Days from one turn to the next, at least 1. */
                    intervalDays?: number;
                    /** @description Whether the AI rewrites the caption at each turn. */
                    rewriteCaption?: boolean;
                    /** @description Platform key to array of account ids. */
                    selections?: {
                        [key: string]: string[];
                    };
                };
            };
        };
        responses: {
            /** @description The rule as it is now. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                /** @description A repeat within 24 hours is given the first answer, and nothing is done again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is recycled within seconds. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                    /** @description The draft from now on. It is not sent. */
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
                /** @description A repeat within 24 hours is given the first answer, and nothing is done again. */
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
                    /** @description Sent in place of the draft. */
                    editedText?: string;
                };
            };
        };
        responses: {
            /** @description The reply. It may still be sending. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                /** @description A repeat within 24 hours is given the first answer, and nothing is done again. */
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
                    /** @description What the AI is to change. */
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
            /** @description The reply, which is not sent. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                /** @description A repeat within 24 hours is given the first answer, and nothing is done again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description `{title}` and `{link}` are replaced, nothing else.
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
            /** @description Added. What is in it by now is not posted. */
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
            /** @description Nothing of it is posted any more. */
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
                    /** @description false pauses it. */
                    active?: boolean;
                    /** @description `{title}` and `{link}` are replaced, nothing else. */
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
            /** @description The feed as it is now. */
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
                /** @description A repeat within 24 hours is given the first answer, and nothing is done again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is checked within seconds. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
            /** @description Cancelled: it will not go out. */
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
                    /** @description Hour:minute, of 24 hours. */
                    time?: string;
                };
            };
        };
        responses: {
            /** @description The scheduled post at its new time. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                /** @description A repeat within 24 hours is given the first answer, and nothing is done again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description Adds a voiceover, as a file of its own.
                     * @default false
                     */
                    aiVoiceover?: boolean;
                    /**
                     * @default 9:16
                     * @enum {string}
                     */
                    aspectRatio?: "9:16" | "1:1" | "16:9";
                    /** @description Subject of the video; its one scene when there are no scenes. */
                    prompt?: string;
                    /**
                     * @description Only keep the settings: nothing is generated or charged.
                     * @default false
                     */
                    saveAsDraft?: boolean;
                    scenes?: {
                        /** @description What an ai scene shows. Default: the prompt. */
                        aiPrompt?: string;
                        /**
                         * @description Default: upload where there is a mediaUrl, else ai.
                         * @enum {string}
                         */
                        mediaSource?: "ai" | "upload";
                        /** @description Public URL of an upload scene’s video. */
                        mediaUrl?: string;
                        /** @description What the voiceover says to it. */
                        voiceoverScript?: string;
                    }[];
                    /** @description Default: the voice of the settings. */
                    voiceId?: string;
                };
            };
        };
        responses: {
            /** @description Begun. Poll GET /videos/{id} with the videoId. */
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
            /** @description It is gone. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                /** @description A repeat within 24 hours is given the first answer, and nothing is done again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What to be told of. */
                    events: ("post.published" | "post.failed" | "comment.received" | "reply.sent")[];
                    /** @description Where deliveries are posted to. */
                    url: string;
                };
            };
        };
        responses: {
            /** @description Registered. The secret is shown this once. */
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
            /** @description Nothing is delivered to it any more. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                /** @description A repeat within 24 hours is given the first answer, and nothing is done again. */
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
            /** @description The delivery, which is sent at once. */
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
                        /** @description Names the request in the log; also in the header `X-Request-Id`. */
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
                /** @description A repeat within 24 hours is given the first answer, and nothing is done again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new secret, shown this once. */
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
                /** @description A repeat within 24 hours is given the first answer, and nothing is done again. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery, which is sent at once. */
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
