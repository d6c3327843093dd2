import { passwordStrength } from '@moorage/domain';
import { usePublicText } from '../texts/locale';

/** Advice, never a refusal. */
export function Strength({ password }: { password: string }) {
  const t = usePublicText();
  const strength = passwordStrength(password);
  return (
    <span className="strength">
      <meter min={0} max={4} value={strength} aria-label={t('strength.label')} className={`l${strength}`} />
      <span>{t(`strength.s${strength}`)}</span>
    </span>
  );
}
