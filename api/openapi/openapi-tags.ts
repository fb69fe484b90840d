/** Groups of endpoints, in reading order. */
export const TAGS = [
  { name: 'Accounts', description: 'The accounts that a workspace has connected. Their ids go into `selections`.' },
  { name: 'Posts', description: 'Publish an image or a video to any number of accounts, and see what became of it.' },
  {
    name: 'Scheduled posts',
    description: 'The same at a later time, in any time zone; changed or cancelled until then.',
  },
  { name: 'RSS feeds', description: 'Feeds whose new items become posts by themselves.' },
  { name: 'Recycling rules', description: 'Published posts that go out anew every so many days.' },
  {
    name: 'Comments and replies',
    description:
      'What others write to the accounts, answers to it, and the inbox in which drafts of an AI wait for approval.',
  },
  { name: 'Videos', description: 'Videos that are made of prompts and uploads. They cost credits.' },
  { name: 'Analytics', description: 'How posts do on YouTube, X, Pinterest and Bluesky, and what follows from it.' },
  { name: 'Credits', description: 'What videos are paid with.' },
  { name: 'Webhooks', description: 'Addresses that are told of events, signed and tried again for 33 hours.' },
  { name: 'Events', description: 'What webhooks are told of, for those who would rather ask.' },
] as const
