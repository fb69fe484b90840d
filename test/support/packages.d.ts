declare module 'parse-prometheus-text-format' {
  export default function parse(text: string): unknown
}

declare module 'facebook-nodejs-business-sdk' {
  type Parameters = Readonly<Record<string, unknown>>

  /** A list, and the way to its next page. */
  type Cursor<T> = T[] & {
    hasNext(): boolean
    next(): Promise<Cursor<T>>
    readonly summary?: Readonly<Record<string, unknown>>
  }
  type List<T = Node> = (fields: readonly string[], params?: Parameters) => Promise<Cursor<T>>
  type Make<T = Node> = (fields: readonly string[], params?: Parameters) => Promise<T>

  export class FacebookAdsApi {
    constructor(accessToken: string, locale: string, crashLog: boolean)
    getAppID(): Promise<unknown>
  }
  export class FacebookAdsApiBatch {
    constructor(api: FacebookAdsApi)
    add(method: string, relativePath: readonly string[]): unknown
    execute(): Promise<unknown>
  }
  class Node {
    constructor(id: string, data: undefined, parentId: undefined, api: FacebookAdsApi)
    readonly id: string
    readonly _data: Readonly<Record<string, unknown>>
    get: Make
    update: Make
    delete: (fields: readonly string[]) => Promise<unknown>
    getComments: List<Comment>
    createComment: Make<Comment>
    getInsights: List
    getLikes: List
    createLike: Make
    getReactions: List
  }
  export class Page extends Node {
    getPublishedPosts: List<PagePost>
    getVideos: List<AdVideo>
    getVideoReels: List<AdVideo>
    getTagged: List
    getFeed: List
    getConversations: List
    getVisitorPosts: List
    createFeed: Make
    createPhoto: Make<Photo>
    createVideo: Make<AdVideo>
    createVideoReel: Make<AdVideo>
    createPhotoStory: Make
    createSubscribedApp: Make
  }
  export class PagePost extends Node {}
  export class Comment extends Node {}
  export class Photo extends Node {}
  export class AdVideo extends Node {}
  export class User extends Node {
    getAccounts: List<Page>
    getBusinesses: List<Business>
    getPermissions: List
  }
  export class Business extends Node {
    getOwnedPages: List<Page>
  }
}
