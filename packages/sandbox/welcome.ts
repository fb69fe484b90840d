import { CALLS, FAULT_KINDS } from './faults.ts'

/** The page at `/`. */
export function welcomePage(platforms: readonly string[]): string {
  return `Fanfare sandbox: a local stand-in for the social platforms. Nothing here reaches the outside.

Platforms   ${platforms.map((platform) => `/${platform}/`).join(' ')}
Samples     /media/sample.jpg  /media/sample.mp4  /feed.xml
AI          POST /ai/text    {instruction, data: [{name, text}], maxChars}
            POST /ai/videos  {key, prompt, aspectRatio}  then GET /ai/videos/<id> and /ai/videos/<id>.mp4
            POST /ai/speech  {key, text, voice?}

GET    /_control/posts?platform=P[&accountId=A]
         what is live: [{id, accountId, caption, mediaUrl, firstComment?, createdAt}]
POST   /_control/comments   {platform, accountId, postId?, text, author}
         a fan's comment; a mention when it has no postId
GET    /_control/comments?platform=P&accountId=A
         what was written to the account, and what it answered
GET    /_control/videos
         every video that was begun: [{id, key, prompt, aspectRatio, status, createdAt}]
POST   /_control/accounts   {platform, externalId?, label?}
         an account and its {externalId, credentials, baseUrl}; the same externalId again gives the same account
POST   /_control/apps       {platform, redirectUri}
         an app and its {clientId, clientSecret}, for connecting accounts in a browser
POST   /_control/faults     {platform, call, kind, times?, accountId?, delayMs?, retryAfterSeconds?, accepted?}
         what goes wrong next
         call: ${CALLS.join(' | ')}
         kind: ${FAULT_KINDS.join(' | ')}
GET    /_control/faults     what is still to come
DELETE /_control/faults     no more faults
`
}
