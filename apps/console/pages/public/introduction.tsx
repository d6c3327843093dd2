import type { PackageAnswer } from '@moorage/contracts';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { usePublicText } from '../../texts/locale';
import { useBrand } from '../../data/brand';
import { dayName } from '../../ui/dates';
import { PackageMark } from '../../parts/package-mark';
import { Mark } from '../../parts/wordmark';
import { useHydrated } from '../../ui/use-hydrated';

const DAYS = 14;
const PAID_DAYS = 10;
const DAY_MS = 86_400_000;

/**
 * Preview of the console, drawn from its own components. If the installation has a video, the preview is the play
 * button. The video's host is not contacted before that click.
 */
export function Introduction({ packages }: { packages: readonly PackageAnswer[] | null }) {
  const t = usePublicText();
  const { intro_video_url: video } = useBrand();
  const [playing, setPlaying] = useState(false);
  if (video === null) {
    return (
      <div className="video" aria-hidden="true">
        <Preview packages={packages} />
      </div>
    );
  }
  if (playing) {
    return (
      <div className="video player">
        <iframe
          src={video}
          title={t('home.video.title')}
          allow="autoplay; fullscreen; encrypted-media; picture-in-picture"
          referrerPolicy="strict-origin-when-cross-origin"
        />
      </div>
    );
  }
  return (
    <button type="button" className="video" onClick={() => setPlaying(true)}>
      <Preview packages={packages} />
      <span className="play">
        <i>
          <Play size={22} aria-hidden="true" />
        </i>
        <span>
          <b>{t('home.video.play')}</b>
          <span className="small soft">{t('home.video.hint')}</span>
        </span>
      </span>
    </button>
  );
}

/**
 * Preview image, hidden from screen readers. Its date is always in the future, and it shows packages that can be
 * ordered here. `packages` is null while unknown.
 */
function Preview({ packages }: { packages: readonly PackageAnswer[] | null }) {
  const t = usePublicText();
  const { name } = useBrand();
  const isHydrated = useHydrated();
  const [end] = useState(() => new Date(Math.floor(new Date().getTime() / DAY_MS + PAID_DAYS) * DAY_MS).toISOString());
  return (
    <span className="preview" aria-hidden="true">
      <span className="head">
        <Mark size={20} />
        {name}
      </span>
      <span className="until-line">
        <span className="small soft">{t('home.preview.runs_until')}</span>
        <strong>{isHydrated ? `${dayName(end)}, 00:00 UTC` : '\u00a0'}</strong>
      </span>
      <span className="days">
        {Array.from({ length: DAYS }, (_, day) => (
          <i key={day} className={day < PAID_DAYS ? 'paid' : undefined} />
        ))}
        <em />
      </span>
      {PREVIEW_ROWS.map(({ status, tone }, place) => {
        const row = packages?.[place % packages.length];
        return (
          <span className="line" key={status}>
            {row === undefined ? <span className="mark s" /> : <PackageMark mark={row.mark} size="s" />}
            <span className="grow">{row?.display_name ?? '\u00a0'}</span>
            <span className={`st ${tone}`}>
              <i />
              <span>{t(status)}</span>
            </span>
          </span>
        );
      })}
    </span>
  );
}

const PREVIEW_ROWS = [
  { status: 'home.preview.ready', tone: 'good' },
  { status: 'home.preview.provisioning', tone: 'busy' },
  { status: 'home.preview.dns', tone: 'busy' },
] as const;
