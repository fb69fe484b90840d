/* What an invented bakery posts, for the pictures in the documentation. */

interface Planned {
  readonly caption: string
  readonly drawing: keyof typeof DRAWINGS
  readonly on: readonly string[]
  /** In how many days, and when (UTC). */
  readonly at: readonly [day: number, time: string]
}

export const NETWORKS = ['instagram', 'x', 'facebook', 'linkedin', 'bluesky', 'threads', 'pinterest'] as const
/** Longer than X allows: the post that fails there. */
export const TOO_LONG = `Why our rye takes three days. ${'The first day is for the starter, the second for the dough, the third for the oven. '.repeat(3)}`

export const PUBLISHED = [
  { caption: 'Fresh from the oven: the first rye loaves of December.', drawing: 'loaf', on: ['instagram', 'bluesky'] },
  { caption: 'Coffee is on. The door opens at seven.', drawing: 'coffee', on: ['instagram', 'x', 'facebook'] },
] as const

export const PLANNED: readonly Planned[] = [
  { caption: 'Tomorrow: croissants, folded by hand.', drawing: 'croissant', on: ['instagram', 'x'], at: [1, '07:00'] },
  {
    caption: 'Rolls for the weekend? Order by Thursday.',
    drawing: 'rolls',
    on: ['facebook', 'bluesky'],
    at: [2, '11:30'],
  },
  { caption: 'Where our flour comes from.', drawing: 'wheat', on: ['linkedin', 'threads'], at: [2, '16:00'] },
  { caption: 'Berry tart, three days only.', drawing: 'tart', on: ['instagram', 'pinterest'], at: [3, '08:00'] },
  { caption: 'Saturday breakfast until noon.', drawing: 'coffee', on: ['instagram', 'x', 'bluesky'], at: [4, '06:30'] },
  { caption: 'Two loaves left. First come, first served.', drawing: 'loaf', on: ['x', 'threads'], at: [6, '15:00'] },
  { caption: 'We are looking for an apprentice.', drawing: 'wheat', on: ['linkedin', 'facebook'], at: [7, '09:00'] },
  { caption: 'Spelt rolls are back.', drawing: 'rolls', on: ['instagram', 'bluesky', 'x'], at: [8, '07:00'] },
  { caption: 'Recipe: bread pudding.', drawing: 'loaf', on: ['pinterest', 'facebook'], at: [9, '16:00'] },
  {
    caption: 'Five minutes with Ada, who bakes at night.',
    drawing: 'croissant',
    on: ['linkedin', 'threads'],
    at: [9, '08:30'],
  },
  { caption: 'Gift boxes are here.', drawing: 'tart', on: ['instagram', 'pinterest'], at: [10, '10:00'] },
  { caption: 'Closed on Sunday, back on Monday.', drawing: 'coffee', on: ['facebook', 'x'], at: [11, '12:00'] },
  {
    caption: 'Stollen, the way grandma made it.',
    drawing: 'loaf',
    on: ['instagram', 'bluesky', 'threads'],
    at: [13, '07:30'],
  },
  { caption: 'Last day for Christmas orders!', drawing: 'tart', on: ['instagram', 'facebook', 'x'], at: [15, '09:00'] },
  { caption: 'A year in numbers.', drawing: 'wheat', on: ['linkedin'], at: [16, '13:00'] },
  {
    caption: 'Croissants for breakfast in bed.',
    drawing: 'croissant',
    on: ['instagram', 'pinterest'],
    at: [18, '08:00'],
  },
  { caption: 'Rolls, rolls, rolls.', drawing: 'rolls', on: ['x', 'bluesky'], at: [14, '17:00'] },
  { caption: 'Tarts to take along.', drawing: 'tart', on: ['instagram', 'facebook'], at: [17, '09:30'] },
  { caption: 'The oven is on all night.', drawing: 'loaf', on: ['x', 'threads'], at: [20, '18:30'] },
  { caption: 'Pick up your Christmas order.', drawing: 'rolls', on: ['facebook', 'instagram'], at: [21, '07:00'] },
  { caption: 'Coffee is on us today.', drawing: 'coffee', on: ['instagram', 'x', 'bluesky'], at: [22, '08:00'] },
  { caption: 'Happy holidays!', drawing: 'wheat', on: ['linkedin', 'facebook', 'threads'], at: [23, '10:00'] },
]

export const COMMENTS = [
  { author: 'kari', text: 'That looks wonderful! Is there one left for Saturday?' },
  { author: 'ola.hansen', text: 'Do you also bake it without yeast?' },
  { author: 'sourdough_sam', text: 'What do you feed your starter?' },
  { author: 'mina', text: 'Do you ship to Hamburg?' },
  { author: 'the_early_bird', text: 'Best rye in town. See you at seven!' },
] as const

const many = (count: number, draw: (index: number) => string) =>
  Array.from({ length: count }, (_, at) => draw(at)).join('')
const circle = (x: number, y: number, r: number, fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}"/>`
const oval = (x: number, y: number, rx: number, ry: number, fill: string, turn = 0) =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" transform="rotate(${turn} ${x} ${y})"/>`
const line = (path: string, stroke: string, width: number) =>
  `<path d="${path}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round"/>`

/** By name, the color behind it and what stands before it, in a square of 1080. */
const DRAWINGS = {
  loaf: [
    '#f3c98b',
    '<rect x="120" y="700" width="840" height="130" rx="40" fill="#8a5a34"/>' +
      oval(540, 560, 360, 210, '#a8652c') +
      oval(540, 520, 330, 160, '#c9833f') +
      many(4, (at) => line(`M${330 + at * 120} 450 q 60 60 30 150`, '#f6dcae', 26)),
  ],
  coffee: [
    '#9cc3b5',
    circle(500, 560, 380, '#f7f3ea') +
      circle(500, 560, 270, '#e9e1d0') +
      oval(790, 400, 90, 60, '#f7f3ea', -35) +
      circle(500, 560, 230, '#5b3a25') +
      line(
        'M420 590 q -60 -110 50 -120 q 30 -60 90 0 q 110 10 50 120 q -50 70 -100 100 q -50 -30 -90 -100',
        '#e8cfa8',
        22,
      ),
  ],
  croissant: [
    '#f4a98f',
    line('M230 700 Q 300 330 540 330 Q 780 330 850 700', '#b8702e', 210) +
      line('M230 700 Q 300 330 540 330 Q 780 330 850 700', '#d9954a', 150) +
      many(5, (at) =>
        line(`M${270 + at * 130} ${[560, 390, 330, 390, 560][at]} l ${(at - 2) * 18} -70`, '#8f5220', 18),
      ),
  ],
  wheat: [
    '#f2dc96',
    many(3, (stalk) =>
      [line(`M${300 + stalk * 240} 980 q 40 -300 0 -560`, '#a57f2c', 16)]
        .concat(
          Array.from({ length: 6 }, (_, at) =>
            [-1, 1].map((side) => oval(305 + stalk * 240 + side * 48, 250 + at * 68, 24, 58, '#c79a35', side * 28)),
          ).flat(),
        )
        .join(''),
    ),
  ],
  tart: [
    '#c9b6dd',
    circle(540, 540, 390, '#c88a4b') +
      circle(540, 540, 330, '#f7e3c0') +
      many(9, (at) => circle(540 + 235 * Math.cos(at * 0.698), 540 + 235 * Math.sin(at * 0.698), 72, '#c2344f')) +
      many(5, (at) => circle(540 + 105 * Math.cos(at * 1.257), 540 + 105 * Math.sin(at * 1.257), 60, '#4b4a8f')),
  ],
  rolls: [
    '#a9c6e6',
    many(9, (at) => {
      const [x, y] = [240 + (at % 3) * 300, 240 + Math.floor(at / 3) * 300]
      return (
        circle(x, y, 128, '#b9722f') +
        circle(x - 8, y - 12, 108, '#d99c55') +
        line(`M${x - 60} ${y} h 120`, '#f6dcae', 20)
      )
    }),
  ],
} as const satisfies Record<string, readonly [string, string]>

export type Drawing = keyof typeof DRAWINGS
export const drawings = Object.keys(DRAWINGS) as readonly Drawing[]

export function svgOf(drawing: Drawing): string {
  const [behind, before] = DRAWINGS[drawing]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1080" height="1080"><rect width="1080" height="1080" fill="${behind}"/>${before}</svg>`
}
