import type { PackageAnswer } from '@moorage/contracts';
import { ArrowRight } from 'lucide-react';
import { inLanguage, usePublicText } from '../../texts/locale';
import { Link } from '../../ui/link';
import { money } from '../../ui/money';
import { PackageMark } from '../../parts/package-mark';
import { Band } from './band';
import type { Answer } from './use-answer';
import { Button } from '../../ui/button';

const PLACES = 5;

interface PackagesProps {
  readonly answer: Answer<readonly PackageAnswer[]>;
  readonly again: () => void;
  readonly signedIn: boolean;
}

/** Available packages, as a section of a page. */
export function Packages(props: PackagesProps) {
  const t = usePublicText();
  const { answer } = props;
  // The title states a number only once the packages have loaded.
  const five = answer.state === 'there' && answer.data.length === PLACES;
  return (
    <Band title={t(five ? 'home.packages.title_five' : 'home.packages.title')}>
      <p className="lead">{t('home.packages.lead')}</p>
      <PackageRows {...props} />
    </Band>
  );
}

/** All packages of the catalogue with their lowest daily price. */
export function PackageRows({ answer, again, signedIn }: PackagesProps) {
  const t = usePublicText();
  if (answer.state === 'failed') {
    return (
      <div className="note brass" role="alert">
        <div>
          <p>{t('home.packages.failed')}</p>
          <Button size="small" onClick={again}>
            {t('retry')}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <div className="pkgs" aria-busy={answer.state === 'waiting'}>
      {answer.state === 'there'
        ? answer.data.map((each) => <Row key={each.name} {...each} signedIn={signedIn} />)
        : Array.from({ length: PLACES }, (_, place) => <EmptyRow key={place} />)}
    </div>
  );
}

function Row({
  name,
  display_name,
  description_texts: description,
  mark,
  from_daily,
  signedIn,
}: PackageAnswer & { signedIn: boolean }) {
  const t = usePublicText();
  return (
    <Link href={`${signedIn ? '/create-deployment' : '/signup'}?package=${encodeURIComponent(name)}`}>
      <PackageMark mark={mark} size="xl" />
      <b>{display_name}</b>
      <span className="soft d">{inLanguage(description)}</span>
      <span className="small muted nowrap">
        {from_daily === null ? null : t('home.packages.from', { price: money(from_daily, { rounding: 'price' }) })}
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
