const COMPLAINT = /\b(awful|bad|broken?|cold|disappoint\w*|late|never|refund|rude|slow|terrible|worst|wrong)\b/i

/** Friendly words on what a comment is about. */
export function answerTo(comment: string): string {
  const topic = topicOf(comment)
  const about = topic === '' ? '' : ` about “${topic}”`
  if (COMPLAINT.test(comment)) return `We are sorry to read this${about}. Thank you for telling us!`
  if (comment.includes('?')) return `Good question${about}, thank you! We will gladly tell you more.`
  return `Thank you! Your words${about} made our day.`
}

/** They say little of what a comment is about. */
const COMMON = new Set(
  (
    'about after again all also amazing and any anything are awesome back beautiful been before best but can come comes ' +
    'could delicious did does done dont even ever every find for from get give goes good got great had has have here how ' +
    'into its just know like likes long look looks love lovely made make many more most much need nice not now one only ' +
    'open opens order other our out over perfect please really same see ship should some something still such take than ' +
    'thank thanks that the their them then there these they thing think this those time today too very want was well were ' +
    'what when where which while who why will with wonderful would wow yes you your yours'
  ).split(' '),
)
const MOST_WORDS = 3
/** A plain word and what ends it: no handle, tag or link, which would mean something to a platform. */
const WORD = /^["“(]?(\p{L}[\p{L}\p{M}’'-]{2,40})["”)]?([.,;!?…]*)$/u

/** The first words in a row that are not common. */
function topicOf(comment: string): string {
  const topic: string[] = []
  for (const token of comment.split(/\s+/)) {
    const [, word = '', end = ''] = WORD.exec(token) ?? []
    const isCommon = word === '' || COMMON.has(word.toLowerCase().replaceAll(/[’']/g, ''))
    if (!isCommon) topic.push(word)
    if (topic.length === MOST_WORDS || (topic.length > 0 && (isCommon || end !== ''))) break
  }
  return topic.join(' ')
}
