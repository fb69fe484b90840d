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
      Make a video
    </Button>
  )
  return (
    <Page title="Videos" intro={credits.data && `${credits.data.credits} credits left.`} actions={make}>
      <Card>
        <ItemList
          query={videos}
          items={(page) => page.videos}
          empty={
            <Empty title="No videos yet" action={make}>
              Describe a video in a sentence, or scene by scene. Post it once it is ready.
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
  const name = video.prompt || scenes.find(({ aiPrompt }) => aiPrompt)?.aiPrompt || 'A video of uploads'
  return (
    <li>
      {videoUrl && <video className="clip" src={videoUrl} controls preload="metadata" aria-label={name} />}
      <div className="item-body">
        <div className="item-line">
          <strong className="clamp">{name}</strong> <Status of={status} />
        </div>
        {status === 'processing' && <progress value={progressPct} max={100} aria-label={`Progress of ${name}`} />}
        {statusMessage && <p className="hint">{statusMessage}</p>}
        <p className="hint">
          {scenes.length} {scenes.length === 1 ? 'scene' : 'scenes'}, {creditsCharged} credits,{' '}
          <Moment at={createdAt} short />
        </p>
        {scenes.length > 1 && (
          <details>
            <summary>Scenes</summary>
            <ol className="scenes">
              {scenes.map((scene, index) => (
                <li key={index}>
                  {scene.aiPrompt ?? `Scene ${index + 1}`} <Status of={scene.status} />{' '}
                  {scene.mediaUrl && <a href={scene.mediaUrl}>Clip</a>} {scene.error}
                </li>
              ))}
            </ol>
          </details>
        )}
        {voiceoverUrl && <audio src={voiceoverUrl} controls preload="none" aria-label={`Voice of ${name}`} />}
      </div>
      <Actions>
        {videoUrl && (
          <ButtonLink small to={`/compose?mediaUrl=${encodeURIComponent(videoUrl)}`}>
            Post
          </ButtonLink>
        )}
        <Irrevocable
          small
          action="Delete"
          name={`Delete ${name}`}
          title="Delete this video?"
          change={() => answered(api.DELETE('/videos/{id}', { params: { path: { id } } }))}
          touches={['video', 'credits']}
          done="Video deleted."
        >
          {status === 'processing' ? 'It is canceled, and its credits are refunded.' : 'This cannot be undone.'}
        </Irrevocable>
      </Actions>
    </li>
  )
}
