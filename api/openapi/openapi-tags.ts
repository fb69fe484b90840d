/** Groups of endpoints, in reading order. */
export const TAGS = [
  { name: 'Accounts', description: 'The connected accounts of a workspace. Their ids go into `selections`.' },
  {
    name: 'Posts',
    description: 'Publish images, videos or a document to any number of accounts, and see the results.',
  },
  { name: 'Media', description: 'Upload a file from your disk, and post it.' },
  {
    name: 'Scheduled posts',
    description: 'Publish at a later time, in any time zone. Reschedule or cancel until then.',
  },
  { name: 'Approvals', description: 'Posts that somebody else has to approve before they are published.' },
  { name: 'Slots', description: 'The times of the week at which a workspace posts, and the next free ones.' },
  { name: 'Drafts', description: 'Posts that are being written. Publish or schedule them when they are complete.' },
  { name: 'RSS feeds', description: 'Feeds whose new items are posted automatically.' },
  { name: 'Recycling rules', description: 'Republish published posts every N days.' },
  {
    name: 'Comments and replies',
    description: 'Comments on the accounts, replies to them, and the inbox of AI drafts that await approval.',
  },
  { name: 'Videos', description: 'Videos created from prompts and uploads. They cost credits.' },
  {
    name: 'Analytics',
    description: 'Post performance on YouTube, X, Pinterest, Bluesky and Mastodon, with recommendations.',
  },
  { name: 'Credits', description: 'Credits pay for videos.' },
  { name: 'Webhooks', description: 'URLs that receive signed events, with retries for 33 hours.' },
  { name: 'Events', description: 'The events that webhooks receive, available by polling.' },
  { name: 'Notifications', description: 'Messages to people, by e-mail or chat, about what needs them.' },
  { name: 'Team', description: 'The users of the workspace, and links with which people join it.' },
  { name: 'Activity', description: 'Who did what in the workspace.' },
  { name: 'Privacy', description: 'Erase the personal data of people who commented.' },
] as const
