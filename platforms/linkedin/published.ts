import type { Published } from '../kit/platform.ts'

/** @param urn such as `urn:li:share:1` or `urn:li:ugcPost:1` */
export function publishedAs(urn: string): Published {
  return { postId: urn, url: `https://www.linkedin.com/feed/update/${urn}/` }
}
