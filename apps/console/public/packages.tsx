import type { PackageAnswer } from '@moorage/contracts';
import { ArrowRight } from 'lucide-react';
import { inLanguage, usePublicText } from '../texts/locale';
import { Link } from '../ui/link';
import { money } from '../ui/money';
import { PackageMark } from '../ui/package-mark';
import type { Answer } from './use-answer';

const PLACES = 5;

/** What can be deployed, straight from the catalogue, with what it costs a day at least. */
export function Packages({
  answer,
  again,
  signedIn,
}: {
  answer: Answer<readonly PackageAnswer[]>;
  again: () => void;
  signedIn: boolean;
}) {
  const t = usePublicText();
  // a number is said of what is there, not of what may come
  const five = answer.state === 'there' && answer.data.length === PLACES;
  return (
    <section className="band">
      <div className="wrapx">
        <h2>{t(five ? 'home.packages.title_five' : 'home.packages.title')}</h2>
        <p className="lead">{t('home.packages.lead')}</p>
        {answer.state === 'failed' ? (
          <div className="note brass" role="alert">
            <div>
              <p>{t('home.packages.failed')}</p>
              <button type="button" className="btn sm" onClick={again}>
                {t('retry')}
              </button>
            </div>
          </div>
        ) : (
          <div className="pkgs" aria-busy={answer.state === 'waiting'}>
            {answer.state === 'there'
              ? answer.data.map((each) => <Row key={each.name} {...each} signedIn={signedIn} />)
              : Array.from({ length: PLACES }, (_, place) => <EmptyRow key={place} />)}
          </div>
        )}
      </div>
    </section>
  );
}

function Row({
  name,
  display_name,
  description_texts: description,
  mark,
  from_daily = null,
  signedIn,
}: PackageAnswer & { from_daily?: number | null; signedIn: boolean }) {
  const t = usePublicText();
  return (
    <Link href={signedIn ? `/create-deployment?package=${encodeURIComponent(name)}` : '/signup'}>
      <PackageMark mark={mark} size="xl" />
      <b>{display_name}</b>
      <span className="soft d">{inLanguage(description)}</span>
      <span className="small muted nowrap">
        {from_daily === null ? null : t('home.packages.from', { price: money(from_daily, { rounding: 'half_up' }) })}
      </span>
      <ArrowRight size={16} className="to" aria-hidden="true" />
    </Link>
  );
}

function EmptyRow() {
  return (
    <span className="row-empty">
      <span className="mark xl" />
      <b>
        <i className="skel w1" />
      </b>
      <span className="d">
        <i className="skel w3" />
      </span>
    </span>
  );
}
