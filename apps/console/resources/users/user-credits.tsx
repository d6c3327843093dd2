import type { AdminUserAnswer } from '@moorage/contracts';
import { CreditRow } from '../../parts/money/credit-row';
import { useText } from '../../texts/console-i18n';
import { Loaded, SectionCard } from '../../ui/card';
import { Newest } from './newest-records';
import { useUserCredits } from './user-records';
import './user-credits.css';

/** All credits of an account, newest first. */
export function UserCredits({ user: { id } }: { user: AdminUserAnswer }) {
  const t = useText();
  return (
    <SectionCard id="credits" title={t('person.credits.title')}>
      <Loaded query={useUserCredits(id)} failed={t('person.credits.failed')}>
        {(rows) => (
          <Newest rows={rows} none={t('person.credits.none')}>
            {(shown) => (
              <ul className="user-credits">
                {shown.map((credit) => (
                  <CreditRow
                    key={`${credit.credit_type}-${credit.id}`}
                    credit={credit}
                    name={t(`person.credits.${credit.credit_type}`)}
                  />
                ))}
              </ul>
            )}
          </Newest>
        )}
      </Loaded>
    </SectionCard>
  );
}
