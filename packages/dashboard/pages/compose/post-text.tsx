import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { beginningOf, piecesOf, type Look } from './looks.ts'

/** A text as a network shows it: cut off where its app does, until somebody opens it. */
export function PostText({
  text,
  length,
  look,
  author,
}: {
  readonly text: string
  /** As the network counts, if that is known. */
  readonly length?: number
  readonly look: Look
  /** Whose name it begins with. */
  readonly author?: string
}) {
  const [isOpen, setOpen] = useState(false)
  const beginning = beginningOf(text, look, length)
  const isCut = beginning !== undefined && !isOpen
  return (
    <p className="post-text">
      {author && <b>{author} </b>}
      {piecesOf(isCut ? beginning : text, look).map((piece, index) =>
        piece.mark ? (
          <span key={index} className="mark">
            {piece.text}
          </span>
        ) : (
          piece.text
        ),
      )}
      {beginning !== undefined && (
        <>
          {isCut && '… '}
          <button type="button" className="more-text" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? ` ${t`less`}` : look.cut?.more}
          </button>
        </>
      )}
    </p>
  )
}
