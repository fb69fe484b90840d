import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sample } from './media-samples.ts'

/** Pinterest takes no shorter ones. */
const SECONDS = 4.2
const picture = (size: string, fps = 12): readonly string[] => [
  ...['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=${fps}:duration=${SECONDS}`],
]
const SOUND = ['-f', 'lavfi', '-i', `sine=duration=${SECONDS}`]
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
const AAC = ['-c:a', 'aac', '-b:a', '64k']
const WIDE = picture('640x360')

/** What ffmpeg is told to make each, whose ending is that of its container. */
const MADE: Readonly<Record<string, readonly string[]>> = {
  'usual.mp4': [...WIDE, ...SOUND, ...H264, ...AAC, '-movflags', '+faststart'],
  'index-at-end.mp4': [...WIDE, ...SOUND, ...H264, ...AAC],
  'fragmented.mp4': [...WIDE, ...SOUND, ...H264, ...AAC, '-movflags', 'frag_keyframe+empty_moov'],
  'silent.mp4': [...WIDE, ...H264],
  'telephone.mp4': [...WIDE, ...SOUND, ...H264, '-c:a', 'aac', '-ar', '8000', '-ac', '1'],
  'variable-rate.mp4': [...WIDE, ...H264, '-vf', "select='not(mod(n,3))+lt(n,20)'", '-vsync', 'vfr'],
  '120-fps.mp4': [...picture('640x360', 120), ...H264],
  '4k.mp4': [...picture('3840x2160', 2), ...H264],
  'odd-sides.mp4': [...WIDE, '-vf', 'crop=639:359', '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv444p'],
  'tall.mp4': [...picture('540x960'), ...SOUND, ...H264, ...AAC],
  'narrow.mp4': [...picture('1280x64'), ...H264],
  'hevc.mp4': [...WIDE, '-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error', '-tag:v', 'hvc1'],
  'mp3-sound.mp4': [...WIDE, ...SOUND, ...H264, '-c:a', 'libmp3lame'],
  'prores.mov': [...WIDE, ...SOUND, '-c:v', 'prores', '-c:a', 'pcm_s16le'],
  'phone.mov': [...WIDE, ...SOUND, ...H264, ...AAC],
  'vp9.webm': [...WIDE, ...SOUND, '-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'],
  'screen.mkv': [...WIDE, ...SOUND, ...H264, ...AAC],
  'camera.avi': [...WIDE, ...SOUND, '-c:v', 'mpeg4', '-c:a', 'libmp3lame'],
  'recorder.ts': [...WIDE, ...SOUND, ...H264, ...AAC],
  'phone.3gp': [...WIDE, ...SOUND, ...H264, ...AAC],
  'old.flv': [...WIDE, ...SOUND, '-c:v', 'flv', '-ar', '44100', '-c:a', 'libmp3lame'],
}

/** Videos as people have them, made by ffmpeg. @param folder for its files */
export async function oddVideos(ffmpeg: string, folder: string): Promise<Readonly<Record<string, Buffer>>> {
  const made = new Map<string, Buffer>()
  for (const [name, how] of Object.entries(MADE)) {
    const path = join(folder, name)
    await promisify(execFile)(ffmpeg, ['-v', 'error', ...how, path])
    made.set(name, await readFile(path))
  }
  const usual = made.get('usual.mp4') ?? Buffer.alloc(0)
  const turned = join(folder, 'turned.mp4')
  const asItIs = ['-i', join(folder, 'usual.mp4'), '-c', 'copy', '-metadata:s:v', 'rotate=90', turned]
  await promisify(execFile)(ffmpeg, ['-v', 'error', ...asItIs])
  return {
    ...Object.fromEntries(made),
    'turned.mp4': await readFile(turned),
    'cut-off.mp4': usual.subarray(0, usual.length / 2),
    'cut-off.mkv': (made.get('screen.mkv') ?? usual).subarray(0, 1_000),
    'no-index.mp4': (made.get('index-at-end.mp4') ?? usual).subarray(0, 20_000),
  }
}

/** What people take for videos, and the smallest. */
export function brokenVideos(): Readonly<Record<string, Buffer>> {
  return {
    'tiny.mp4': sample('clip.mp4'),
    'sound-alone.mp4': sample('sound.mp4'),
    'sound.m4a': sample('sound.m4a'),
    'sound.mp3': sample('sound.mp3'),
    'moving.gif': sample('picture.gif'),
    'photo.mp4': sample('picture.jpg'),
    'header-alone.mp4': sample('clip.mp4').subarray(0, 32),
    'empty.mp4': Buffer.alloc(0),
    'page.mp4': Buffer.from('<html><body>Log in to watch</body></html>'),
    'playlist.m3u8': Buffer.from('#EXTM3U\n#EXTINF:3,\nfile:///etc/hosts\n'),
  }
}
