import { loadPackages } from '../../data/public-catalogue';
import { useSession } from '../../data/session';
import { usePublicText } from '../../texts/locale';
import { buttonClass } from '../../ui/button';
import { Link } from '../../ui/link';
import { money } from '../../ui/money';
import { useTitle } from '../../ui/use-title';
import { Band } from './band';
import { Budget, BUDGET } from './budget';
import { useExampleServer } from './example-server';
import { PackageRows } from './packages';
import { PriceCards } from './price-cards';
import { PricingQuestions } from './pricing-questions';
import { ServerKinds } from './server-kinds';
import { BackupsNote, SupportLevels } from './support-levels';
import { useAnswer } from './use-answer';

export default function Pricing() {
  const t = usePublicText();
  const signedIn = useSession() !== null;
  const packages = useAnswer(loadPackages);
  const example = useExampleServer();
  useTitle(t('pricing.title'));
  return (
    <main>
      <div className="wrapx top">
        <h1 className="big-title">{t('pricing.title')}</h1>
        <p className="lead">{t('pricing.lead')}</p>
        <PriceCards example={example} />
      </div>
      <Band isJoined title={t('pricing.servers.title')}>
        <ServerKinds />
      </Band>
      <Band isJoined title={t('pricing.packages.title')}>
        <p className="lead">{t('pricing.packages.lead')}</p>
        <PackageRows {...packages} signedIn={signedIn} />
      </Band>
      <Band isJoined title={t('pricing.buys.title', { amount: money(BUDGET, { rounding: 'price' }) })}>
        <Budget example={example} />
      </Band>
      <Band isJoined title={t('pricing.levels.title')}>
        <SupportLevels />
        <div className="below">
          <p className="small muted">{t('pricing.levels.note')}</p>
          <BackupsNote />
        </div>
      </Band>
      <Band isJoined title={t('pricing.how.title')}>
        <Steps />
      </Band>
      <section className="band">
        <div className="wrapx narrow">
          <h2>{t('pricing.faq.title')}</h2>
          <PricingQuestions />
          <Invitation signedIn={signedIn} />
        </div>
      </section>
    </main>
  );
}

const STEPS = ['s1', 's2', 's3', 's4'] as const;

/** Steps of a deployment, for visitors. */
function Steps() {
  const t = usePublicText();
  return (
    <ol className="how">
      {STEPS.map((step) => (
        <li key={step}>
          <b>{t(`pricing.how.${step}`)}</b>
          <p>{t(`pricing.how.${step}_text`)}</p>
        </li>
      ))}
    </ol>
  );
}

function Invitation({ signedIn }: { signedIn: boolean }) {
  const t = usePublicText();
  const look = buttonClass({ kind: 'primary', size: 'large' });
  return (
    <div className="row wrap end">
      {signedIn ? (
        <Link className={look} href="/create-deployment">
          {t('pricing.create')}
        </Link>
      ) : (
        <>
          <Link className={look} href="/signup">
            {t('pricing.signup')}
          </Link>
          <span className="muted small">{t('signup.no_card')}</span>
        </>
      )}
    </div>
  );
}
