import { passwordStrength } from '@moorage/domain';
import { usePublicText } from '../../texts/locale';
import './strength.css';

const STEPS = [1, 2, 3, 4];

/** Password strength, for advice only. Never prevents submission. */
export function Strength({ password }: { password: string }) {
  const t = usePublicText();
  const strength = passwordStrength(password);
  return (
    <span className={`strength l${strength}`}>
      <span className="bars" aria-hidden="true">
        {STEPS.map((step) => (
          <i key={step} className={step <= strength ? 'on' : undefined} />
        ))}
      </span>
      <span>
        <span className="vh">{t('strength.label')}: </span>
        {t(`strength.s${strength}`)}
      </span>
    </span>
  );
}
