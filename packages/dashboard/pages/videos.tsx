import { plural, t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answered, api } from '../client/client.ts'
import { pageAfter, useList } from '../client/queries.ts'
import type { Video } from '../client/types.ts'
import { Actions, Button, ButtonLink } from '../parts/buttons.tsx'
import { Irrevocable } from '../parts/irrevocable.tsx'
import { ItemList } from '../parts/list.tsx'
import { Page } from '../parts/page.tsx'
import { Card, Empty, Moment, Status } from '../parts/shown.tsx'
import { MakeVideo } from './videos/make-video.tsx'

export default function Videos() {
  const [isMaking, setMaking] = useState(false)
  const credits = useQuery({ queryKey: ['credits', 'balance'], queryFn: () => answered(api.GET('/credits')) })
  const videos = useList(['video', 'list'], (cursor) =>
    answered(api.GET('/videos', { params: { query: pageAfter(cursor) } })),
  )
  const make = (
    <Button look="main" onPress={() => setMaking(true)}>
      <Trans>Make a video</Trans>
    </Button>
  )
  return (
    <Page
      title={t`Videos`}
      intro={
        credits.data && plural({ credits: credits.data.credits }, { one: '# credit left.', other: '# credits left.' })
      }
      actions={make}
    >
      <Card>
        <ItemList
          query={videos}
          items={(page) => page.videos}
          empty={
            <Empty title={t`No videos yet`} action={make}>
              <Trans>Describe a video in a sentence, or scene by scene. Post it once it is ready.</Trans>
            </Empty>
          }
        >
          {(video) => <VideoItem key={video.id} video={video} />}
        </ItemList>
      </Card>
      <MakeVideo isOpen={isMaking} onClose={() => setMaking(false)} />
    </Page>
  )
}

function VideoItem({ video }: { readonly video: Video }) {
  const { id, status, progressPct, statusMessage, videoUrl, voiceoverUrl, scenes, creditsCharged, createdAt } = video
  const name = video.prompt || scenes.find(({ aiPrompt }) => aiPrompt)?.aiPrompt || t`A video of uploads`
  return (
    <li>
      {videoUrl && <video className="clip" src={videoUrl} controls preload="metadata" aria-label={name} />}
      <div className="item-body">
        <div className="item-line">
          <strong className="clamp">{name}</strong> <Status of={status} />
        </div>
        {status === 'processing' && <progress value={progressPct} max={100} aria-label={t`Progress of ${name}`} />}
        {statusMessage && <p className="hint">{statusMessage}</p>}
        <p className="hint">
          <Trans>
            <Plural value={{ count: scenes.length }} one="# scene" other="# scenes" />,{' '}
            <Plural value={creditsCharged} one="# credit" other="# credits" />, <Moment at={createdAt} short />
          </Trans>
        </p>
        {scenes.length > 1 && (
          <details>
            <summary>
              <Trans>Scenes</Trans>
            </summary>
            <ol className="scenes">
              {scenes.map((scene, index) => (
                <li key={index}>
                  {scene.aiPrompt ?? t`Scene ${{ number: index + 1 }}`} <Status of={scene.status} />{' '}
                  {scene.mediaUrl && (
                    <a href={scene.mediaUrl}>
                      <Trans>Clip</Trans>
                    </a>
                  )}{' '}
                  {scene.error}
                </li>
              ))}
            </ol>
          </details>
        )}
        {voiceoverUrl && <audio src={voiceoverUrl} controls preload="none" aria-label={t`Voice of ${name}`} />}
      </div>
      <Actions>
        {videoUrl && (
          <ButtonLink small to={`/compose?mediaUrl=${encodeURIComponent(videoUrl)}`}>
            <Trans context="verb">Post</Trans>
          </ButtonLink>
        )}
        <Irrevocable
          small
          action={t`Delete`}
          name={t`Delete ${name}`}
          title={t`Delete this video?`}
          change={() => answered(api.DELETE('/videos/{id}', { params: { path: { id } } }))}
          touches={['video', 'credits']}
          done={t`Video deleted.`}
        >
          {status === 'processing' ? t`It is canceled, and its credits are refunded.` : t`This cannot be undone.`}
        </Irrevocable>
      </Actions>
    </li>
  )
}
