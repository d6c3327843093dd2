import type { LucideIcon } from 'lucide-react';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import './button.css';

export interface ButtonLook {
  /** At most one primary button per view. `quiet` and `text` have no border. */
  readonly kind?: 'outlined' | 'primary' | 'danger' | 'quiet' | 'text';
  readonly size?: 'small' | 'medium' | 'large';
  /** As wide as its container. */
  readonly block?: boolean;
}

const KINDS = { outlined: '', primary: ' primary', danger: ' danger', quiet: ' quiet', text: ' link' };
const SIZES = { small: ' sm', medium: '', large: ' lg' };

/** Returns the class names that make a link look like a button. */
export function buttonClass({ kind = 'outlined', size = 'medium', block = false }: ButtonLook = {}, className = '') {
  return `btn${KINDS[kind]}${SIZES[size]}${block ? ' block' : ''}${className === '' ? '' : ` ${className}`}`;
}

export interface ButtonIcons {
  /** Icon before the label. */
  readonly icon?: LucideIcon | undefined;
  /** Icon after the label. */
  readonly endIcon?: LucideIcon | undefined;
}

/** Label of a button with its icons. */
export function ButtonLabel({ icon: Icon, endIcon: EndIcon, children }: ButtonIcons & { children: ReactNode }) {
  return (
    <>
      {Icon === undefined ? null : <Icon size={16} className="start" aria-hidden="true" />}
      {children}
      {EndIcon === undefined ? null : <EndIcon size={16} className="end" aria-hidden="true" />}
    </>
  );
}

export interface ButtonProps extends ButtonLook, ButtonIcons, ComponentPropsWithRef<'button'> {
  /** Disables the button while its action is running. */
  readonly busy?: boolean;
}

/** Button whose label is a verb. Submits a form only with `type="submit"`. */
export function Button({
  kind,
  size,
  block,
  icon,
  endIcon,
  busy = false,
  disabled = false,
  type = 'button',
  className,
  children,
  ...rest
}: ButtonProps) {
  return (
    <button {...rest} type={type} disabled={busy || disabled} className={buttonClass({ kind, size, block }, className)}>
      <ButtonLabel icon={icon} endIcon={endIcon}>
        {children}
      </ButtonLabel>
    </button>
  );
}

/** Button that shows only an icon. `title` adds a tooltip. */
export function IconButton({
  label,
  icon: Icon,
  iconSize = 16,
  kind = 'quiet',
  className = '',
  ...rest
}: Omit<ButtonProps, 'aria-label' | 'icon' | 'endIcon' | 'block' | 'children'> & {
  /** Accessible name. */
  label: string;
  icon: LucideIcon;
  iconSize?: number;
}) {
  return (
    <Button {...rest} kind={kind} className={`icon ${className}`.trim()} aria-label={label}>
      <Icon size={iconSize} aria-hidden="true" />
    </Button>
  );
}
