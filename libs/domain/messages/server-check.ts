import { messageTable } from './message';

/** Results of server checks. A user's own server is checked before an order, and every server before its setup. */
export const SERVER_CHECK_MESSAGES = messageTable('server_check', {
  looking: "We're still checking your server. Try again in a moment.",
  passed: 'Your server is reachable and can be used.',
  usable: 'Your server can be used.',
  unusable: "Your server can't be used.",
  unclear: 'The server could not be checked. Please try again.',
  unreachable: "We couldn't reach port %{port} on %{address}. Check the address and your provider's firewall.",
  too_slow: "We couldn't reach port %{port} on %{address} in time. Check the address and your provider's firewall.",
  lost: 'The connection to the server was lost. Please try again.',
  interrupted: 'The check was interrupted. Please try again.',
  no_ssh: "The service on port %{port} isn't a supported SSH server. Check the address and the port that sshd uses.",
  no_key_exchange:
    'The SSH server offers no supported key exchange. Add %{ours} to KexAlgorithms in its sshd_config, reload sshd, then try again.',
  no_host_key_type:
    'The SSH server offers no supported type of host key. Run sudo ssh-keygen -A on it, add %{ours} to HostKeyAlgorithms in its sshd_config if that line exists, reload sshd, then try again.',
  no_cipher:
    'The SSH server offers no supported cipher. Add %{ours} to Ciphers in its sshd_config, reload sshd, then try again.',
  no_mac:
    'The SSH server offers no supported MAC. Add %{ours} to MACs in its sshd_config, reload sshd, then try again.',
  key_refused:
    'The server refused our key for root. Run the script shown on this page on the server. If you already did, its sshd_config may block root: set PermitRootLogin to prohibit-password, add root to AllowUsers and AllowGroups if these lines exist, and remove root from DenyUsers and DenyGroups. /root/.ssh/authorized_keys must belong to root, and no other user may write to it. Reload sshd, then try again.',
  key_alone:
    'The server accepts our key but also requires %{methods}, which we can\'t provide. Add the lines "Match User root" and "AuthenticationMethods publickey" at the end of its sshd_config, reload sshd, then try again.',
  no_keys:
    'The server does not let root log in with a key. Set PubkeyAuthentication to yes in its sshd_config, and AuthenticationMethods to publickey for root if that line exists. Reload sshd, then try again.',
  odd_answer:
    'Our check did not run on the server. It responded: %{words}. If the login of root is bound to a command, remove it: command="..." before our key in /root/.ssh/authorized_keys, or ForceCommand in sshd_config. Then try again.',
  host_key_changed:
    "The server's identity has changed since the last check. If you reinstalled the server, check it again to accept the new identity.",
  host_key_confirmed: 'You confirmed the new identity of this server. Its deployment accepts it from now on.',
  files: "The server doesn't let us write files. Its disk may be full or read-only.",
  answers: 'The server responds on port %{port}.',
  key_taken: 'The server accepts our key.',
  free: 'No other deployment runs on it.',
  /** Stands in for the package name while no package is chosen. */
  the_package: 'The package',
  unfit: 'This server does not meet the requirements of the package.',

  root: 'We need root or sudo.',
  user_name: 'Enter the name of a user on the server, at most %{most} characters.',
  sudo_password_line: 'Enter a password of 1 to %{most} characters on one line.',
  user_key_refused:
    'The server refused our key for the user %{user}. Run the script shown on this page on the server. If you have done so, its sshd_config may keep the user out: check AllowUsers, AllowGroups, DenyUsers and DenyGroups, then try again.',
  sudo_password_needed: 'sudo asks the user %{user} for a password. Enter it here, or allow sudo without a password.',
  sudo_password_wrong: 'sudo rejected the password of the user %{user}.',
  sudo_not_allowed: 'The user %{user} may not run all commands with sudo. Add the user to the group sudo.',
  sudo_tty: 'sudo requires a terminal for the user %{user}. Remove requiretty from the sudoers file.',
  sudo_missing: 'sudo is not installed on the server.',
  os: 'Ubuntu 22.04/24.04 or Debian 12 is required; found %{found}.',
  arch: 'Unsupported processor: %{found}.',
  virtualisation: 'This server is a container (%{found}). Some kernel features may be missing.',
  wireguard: 'This kernel has no WireGuard.',
  cpu: '%{package} needs %{wanted} processors; %{found} found.',
  memory: '%{package} needs %{wanted} MB of memory; %{found} MB found.',
  disk: '%{package} needs %{wanted} GB of free disk space; %{found} GB found.',
  port_container: 'Port %{rule} is used by another container. Stop it first ("sudo docker ps" shows which one).',
  port: 'Port %{rule} is used by %{program}. Stop it first (e.g. sudo systemctl disable --now %{program}).',
  docker_snap: 'Docker from snap is not supported.',
  docker_silent: 'Docker is installed but not responding. Start it first.',
  docker_old: 'Docker %{found} is too old. Version %{wanted} or newer is required.',
  compose_missing: 'The Docker Compose plugin is missing (package docker-compose-plugin).',
  compose_old: 'Docker Compose %{found} is too old. Version %{wanted} or newer is required.',
  names: 'A container named %{found} already exists. Remove or rename it first.',
  folder: '%{found} already exists, so the software seems to be installed. Remove or move it first.',
  root_login:
    '%{package} manages its own server and logs in there as root with a key, which sshd does not allow. Set PermitRootLogin to prohibit-password and PubkeyAuthentication to yes in sshd_config, reload sshd, then try again.',
  root_login_unknown: "We couldn't determine whether sshd lets root log in with a key. The software needs that.",
  systemd: 'systemd is not running. After a reboot, you may have to start the containers manually.',
  time: 'The clock is off by %{found} seconds. Certificates would be rejected.',
  outbound: "The server can't reach %{found}.",
  firewall: "%{found} is active. We'll add rules for the ports of your package.",
  selinux: 'SELinux is enforcing. Containers may be denied access to files.',
  fail2ban: 'fail2ban is running. Allow our address if it blocks us.',
  reboot: 'The server needs a reboot.',
  apt: 'The package manager is busy.',
});
