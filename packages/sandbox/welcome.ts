import { CALLS, FAULT_KINDS } from './faults.ts'

/** The page at `/`. */
export function welcomePage(platforms: readonly string[]): string {
  return `Fanfare sandbox: a local stand-in for the social platforms. Nothing sent here reaches a real platform.

Platforms   ${platforms.map((platform) => `/${platform}/`).join(' ')}
Samples     /media/sample.jpg  /media/sample.mp4  /media/sample.pdf  /feed.xml
AI          POST /ai/text    {instruction, data: [{name, text}], maxChars}
            POST /ai/videos  {key, prompt, aspectRatio}  then GET /ai/videos/<id> and /ai/videos/<id>.mp4
            POST /ai/speech  {key, text, voice?}

GET    /posts/<platform>/<id of a post>
         the post as a page: text, media, comments
GET    /_control/posts?platform=P[&accountId=A]
         the live posts: [{id, accountId, caption, mediaUrl, items?, firstComment?, createdAt, isDraft?, isHidden?}];
         isDraft: it waits for its owner to publish it (TikTok's inbox); isHidden: only its owner sees it
POST   /_control/comments   {platform, accountId, postId?, text, author}
         adds a comment by a fan, or a mention if it has no postId
GET    /_control/comments?platform=P&accountId=A
         the comments to the account, and its replies
GET    /_control/videos
         all videos that were started: [{id, key, prompt, aspectRatio, status, createdAt}]
POST   /_control/accounts   {platform, externalId?, label?}
         creates an account: {externalId, credentials, baseUrl}; the same externalId returns the same account
POST   /_control/history    {platform, accountId, posts: [{caption, mediaUrl, mediaType, createdAt, reach, readAt}]}
         adds posts from before the sandbox was started: [{id, readings: [{at, metrics}]}], with the numbers at each time of
         readAt; reach: 1 is as many people as a post of chance reaches at most; where the platform reports numbers
POST   /_control/apps       {platform, redirectUri, scopes?, products?, isConfigured?}
         creates an app: {clientId, clientSecret}, for connecting accounts in a browser; scopes: those that it may ask for;
         products: those of the app, instead of scopes (LinkedIn);
         isConfigured: it asks for all of them by a configuration, configId (Facebook)
POST   /_control/reviews    {platform, isReviewed}
         whether the platform has reviewed all apps (default: yes); the others get what unreviewed apps get there
POST   /_control/url-properties   {platform, verified?}
         the domains (example.com) and URLs ending with / from which the platform fetches media (TikTok images);
         without verified, as at first: from this machine
POST   /_control/removals   {platform, accountId, url}
         the account's owner removes the app, and the platform calls the app's URL: {sent, status, body}
POST   /_control/faults     {platform, call, kind, times?, accountId?, delayMs?, retryAfterSeconds?, accepted?}
         injects a fault into the next calls
         call: ${CALLS.join(' | ')}
         kind: ${FAULT_KINDS.join(' | ')}
GET    /_control/faults     the pending faults
DELETE /_control/faults     removes all faults
`
}
