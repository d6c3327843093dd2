import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { useArrivedSettings } from '../../data/brand';
import { usePublicText } from '../../texts/locale';
import { PROVIDERS } from './server-kinds';

/** Common questions about prices with their answers. */
export function PricingQuestions() {
  const t = usePublicText();
  const minutes = useArrivedSettings()?.grace_period_minutes ?? 0;
  return (
    <>
      <Question title={t('pricing.faq.stop')} open>
        {t('pricing.faq.stop_text')}
      </Question>
      <Question title={t('pricing.faq.out')}>
        {t('pricing.faq.out_text')} {minutes > 0 ? t('pricing.faq.out_grace_period', { minutes }) : null}
      </Question>
      <Question title={t('pricing.faq.level')}>{t('pricing.faq.level_text')}</Question>
      <Question title={t('pricing.faq.providers')}>
        {t('pricing.faq.providers_text', { providers: PROVIDERS })}
      </Question>
    </>
  );
}

function Question({ title, open = false, children }: { title: string; open?: boolean; children: ReactNode }) {
  return (
    <details className="q" open={open}>
      <summary>
        {title}
        <ChevronDown size={16} aria-hidden="true" />
      </summary>
      <p>{children}</p>
    </details>
  );
}
