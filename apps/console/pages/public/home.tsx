import { ArrowRight } from 'lucide-react';
import { useSession } from '../../data/session';
import { usePublicText } from '../../texts/locale';
import { useBrand } from '../../data/brand';
import { Link } from '../../ui/link';
import { money } from '../../ui/money';
import { loadPackages } from '../../data/public-catalogue';
import { Introduction } from './introduction';
import { Packages } from './packages';
import { usePublicPrices } from '../../data/public-prices';
import { useAnswer } from './use-answer';
import { useTitle } from '../../ui/use-title';
import { BRAND_TEXTS } from '@moorage/domain';
import { buttonClass } from '../../ui/button';

export default function Home() {
  const t = usePublicText();
  const { name, tagline } = useBrand();
  const session = useSession();
  const { prices } = usePublicPrices();
  const packages = useAnswer(loadPackages);
  useTitle(null);
  return (
    <main>
      <div className="wrapx">
        <section className="hero">
          <div>
            <h1>{name}</h1>
            <p className="tagline">{tagline === BRAND_TEXTS.tagline ? t('home.tagline') : tagline}</p>
            {session === null ? (
              <div className="row wrap ctas">
                <Link className={buttonClass({ kind: 'primary', size: 'large' })} href="/signup">
                  {t('nav.signup')}
                </Link>
                <Link className={buttonClass({ size: 'large' })} href="/login">
                  {t('nav.login')}
                </Link>
                <Link className={buttonClass({ kind: 'quiet', size: 'large' })} href="/pricing">
                  {t('home.view_pricing')}
                  <ArrowRight size={16} aria-hidden="true" />
                </Link>
              </div>
            ) : (
              <>
                <p className="welcome">{t('home.welcome', { name: session.user?.username ?? '' })}</p>
                <div className="row wrap ctas">
                  <Link className={buttonClass({ kind: 'primary', size: 'large' })} href="/dashboard">
                    {t('home.to_dashboard')}
                  </Link>
                  <Link className={buttonClass({ size: 'large' })} href="/create-deployment">
                    {t('home.create')}
                  </Link>
                </div>
              </>
            )}
          </div>
          <Introduction packages={packages.answer.state === 'there' ? packages.answer.data : null} />
        </section>
        <section className="facts" aria-label={t('home.facts.label')}>
          <div>
            <b>{t('home.facts.daily.title')}</b>
            <p>{t('home.facts.daily.text')}</p>
          </div>
          <div>
            <b>{t('home.facts.servers.title')}</b>
            <p>{t('home.facts.servers.text', { fee: money(prices.byovpsDailyFee, { rounding: 'price' }) })}</p>
          </div>
          <div>
            <b>{t('home.facts.date.title')}</b>
            <p>{t('home.facts.date.text')}</p>
          </div>
        </section>
      </div>
      <Packages {...packages} signedIn={session !== null} />
    </main>
  );
}
