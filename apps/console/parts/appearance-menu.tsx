import { Moon, Sun, SunMoon } from 'lucide-react';
import { usePublicText } from '../texts/locale';
import { usePopup } from '../ui/popup';
import { chooseTheme, THEME_CHOICES, useTheme } from '../ui/theme-choice';
import { IconButton } from '../ui/button';
import { LanguageButtons } from './language-buttons';

const ICONS = { light: Sun, dark: Moon, system: SunMoon };

/** Menu for theme and language. */
export function AppearanceMenu({ className = '' }: { className?: string }) {
  const t = usePublicText();
  const { choice } = useTheme();
  const { open, setOpen, box, opener, onKeyDown } = usePopup();
  const Icon = ICONS[choice];
  return (
    <div className={`pop ${className}`} ref={box} onKeyDown={onKeyDown}>
      <IconButton
        icon={Icon}
        ref={opener}
        aria-expanded={open}
        label={t('theme.and_language')}
        title={t('theme.and_language')}
        onClick={() => setOpen(!open)}
      />
      {open ? (
        <div className="pop-list" onClick={() => setOpen(false)}>
          <AppearanceChoices />
        </div>
      ) : null}
    </div>
  );
}

/** Theme choices (Light, Dark, System) and languages. */
export function AppearanceChoices() {
  const t = usePublicText();
  const { choice } = useTheme();
  return (
    <>
      <div role="group" aria-label={t('theme.label')}>
        <p aria-hidden="true">{t('theme.label')}</p>
        {THEME_CHOICES.map((each) => (
          <button key={each} type="button" aria-pressed={each === choice} onClick={() => chooseTheme(each)}>
            {t(`theme.${each}`)}
          </button>
        ))}
      </div>
      <div role="group" aria-label={t('language')}>
        <p aria-hidden="true">{t('language')}</p>
        <LanguageButtons />
      </div>
    </>
  );
}
