import { useText } from '../../texts/console-i18n';
import { SectionCard } from '../../ui/card';
import './how-it-works.css';

const STEPS = ['s1', 's2', 's3'] as const;

/** Explains referrals in three steps. */
export function HowItWorks() {
  const t = useText();
  return (
    <SectionCard id="how" title={t('referrals.how.title')}>
      <ol className="pad referral-steps">
        {STEPS.map((step) => (
          <li key={step}>
            <b>{t(`referrals.how.${step}`)}</b>
            <span className="soft">{t(`referrals.how.${step}_text`)}</span>
          </li>
        ))}
      </ol>
    </SectionCard>
  );
}
