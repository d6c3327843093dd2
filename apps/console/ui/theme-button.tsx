import { Moon, Sun, SunMoon } from 'lucide-react';
import { usePublicText } from '../texts/locale';
import { chooseTheme, THEME_CHOICES, useTheme } from './theme';

const ICONS = { light: Sun, dark: Moon, system: SunMoon };

/** Light, Dark, System: one button that goes round. */
export function ThemeButton({ className = 'btn quiet icon' }: { className?: string }) {
  const t = usePublicText();
  const { choice } = useTheme();
  const Icon = ICONS[choice];
  const next = THEME_CHOICES[(THEME_CHOICES.indexOf(choice) + 1) % THEME_CHOICES.length] ?? 'light';
  const label = t('theme.label', { choice: t(`theme.${choice}`) });
  return (
    <button type="button" className={className} aria-label={label} title={label} onClick={() => chooseTheme(next)}>
      <Icon size={16} aria-hidden="true" />
    </button>
  );
}
