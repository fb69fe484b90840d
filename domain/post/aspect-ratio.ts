/** The aspect ratios of videos, width to height; the first is the default (api-spec §4, POST /videos). */
export const ASPECT_RATIOS = ['9:16', '1:1', '16:9'] as const
export type AspectRatio = (typeof ASPECT_RATIOS)[number]
