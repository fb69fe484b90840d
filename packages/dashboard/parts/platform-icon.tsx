import type { ReactNode } from 'react'
import { usePlatformName } from './accounts.tsx'

/* Simplified marks in each network's color, drawn on 24 by 24. */

const letters = (text: string, size = 15) => (
  <text x="12" y="17.2" textAnchor="middle" fontSize={size} fontWeight="800" fill="#fff" stroke="none">
    {text}
  </text>
)

const MARKS: Readonly<Record<string, { readonly color: string; readonly mark: ReactNode }>> = {
  bluesky: {
    color: '#0a6cff',
    mark: (
      <path
        d="M12 11.5C10.6 8.6 8 6.3 5.6 5.9c-1 3.6.4 6 2.9 6.6-1.6.4-2.2 1.7-1.5 3.1.9 1.8 3.5 1.4 5-2.1 1.5 3.5 4.1 3.9 5 2.1.7-1.4.1-2.7-1.5-3.1 2.5-.6 3.9-3 2.9-6.6C16 6.3 13.4 8.6 12 11.5Z"
        fill="#fff"
        stroke="none"
      />
    ),
  },
  facebook: { color: '#0866ff', mark: <path d="M15.5 6.5H14c-1.5 0-2.3.9-2.3 2.4V19M8.8 12h5.9" /> },
  googlebusiness: {
    color: '#1a68d8',
    mark: (
      <path d="M5.5 10.5 7 6h10l1.5 4.5a2.2 2.2 0 0 1-4.3.3 2.2 2.2 0 0 1-4.4 0 2.2 2.2 0 0 1-4.3-.3ZM7 13.5V18h10v-4.5" />
    ),
  },
  instagram: {
    color: '#c32aa3',
    mark: (
      <>
        <rect x="5.5" y="5.5" width="13" height="13" rx="4" />
        <circle cx="12" cy="12" r="3.2" />
        <circle cx="15.8" cy="8.2" r=".4" />
      </>
    ),
  },
  linkedin: { color: '#0a66c2', mark: letters('in', 14) },
  mastodon: {
    color: '#5b4bd8',
    mark: (
      <>
        <path
          d="M5.3 9.3c0-2.5 1.6-4.1 4-4.1h5.4c2.4 0 4 1.6 4 4.1v3.1c0 2.5-1.6 4-4 4H9.6c.4 1.5 2 2.2 5 1.8v1.5c-5.7.9-9.3-1.2-9.3-5.8Z"
          fill="#fff"
          stroke="none"
        />
        <path
          d="M8.7 13.2V10a1.65 1.65 0 0 1 3.3 0v1.6M12 10a1.65 1.65 0 0 1 3.3 0v3.2"
          stroke="#5b4bd8"
          strokeWidth="1.7"
        />
      </>
    ),
  },
  pinterest: { color: '#d3001a', mark: letters('P') },
  threads: { color: '#1c1c1c', mark: letters('@') },
  tiktok: { color: '#111', mark: <path d="M13 5v9.8a3.2 3.2 0 1 1-3.2-3.2M13 5c.3 2.6 1.9 4.1 4.5 4.3" /> },
  x: { color: '#000', mark: <path d="m6.5 6.5 11 11m0-11-11 11" /> },
  youtube: { color: '#e8000b', mark: <path d="M9.5 7.8v8.4l6.8-4.2Z" fill="#fff" /> },
}

/** The mark of a network, with its name for screen readers and on hover, unless the name stands beside it (`isNamed`). */
export function PlatformIcon({ of, isNamed }: { readonly of: string; readonly isNamed?: boolean }) {
  const name = usePlatformName()(of)
  const { color, mark } = MARKS[of] ?? { color: '#666', mark: letters(name.slice(0, 1)) }
  return (
    <svg
      className="platform-icon"
      viewBox="0 0 24 24"
      {...(isNamed ? { 'aria-hidden': true } : { role: 'img', 'aria-label': name })}
    >
      {!isNamed && <title>{name}</title>}
      <rect width="24" height="24" rx="6" fill={color} />
      <g fill="none" stroke="#fff" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
        {mark}
      </g>
    </svg>
  )
}

export function PlatformIcons({ of }: { readonly of: readonly string[] }) {
  return (
    <span className="platform-icons">
      {of.map((key) => (
        <PlatformIcon key={key} of={key} />
      ))}
    </span>
  )
}
