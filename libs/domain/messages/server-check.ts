import { messageTable } from './message';

/** What a look at a server found: a user's own before an order, every server before it is set up. */
export const SERVER_CHECK_MESSAGES = messageTable('server_check', {
  looking: 'We are still looking at your server. Ask again in a moment.',
  passed: 'Your server is reachable and can be used.',
  usable: 'Your server can be used.',
  unusable: 'Your server cannot be used.',
  unclear: 'The server could not be checked. Please try again.',
  unreachable: "We could not reach port %{port} on %{address}. Check the address and your provider's firewall.",
  too_slow: "We could not reach port %{port} on %{address} in time. Check the address and your provider's firewall.",
  lost: 'The connection to the server was lost. Please try again.',
  interrupted: 'The check was interrupted. Please try again.',
  no_ssh: 'What answers on port %{port} is no SSH server that we can talk to.',
  no_key_exchange:
    'The SSH server allows no key exchange that we know. Add %{ours} to KexAlgorithms in its sshd_config, reload sshd, then try again.',
  no_host_key_type:
    'The SSH server shows no type of host key that we know. Run sudo ssh-keygen -A on it, add %{ours} to HostKeyAlgorithms in its sshd_config if that line is there, reload sshd, then try again.',
  no_cipher:
    'The SSH server allows no cipher that we know. Add %{ours} to Ciphers in its sshd_config, reload sshd, then try again.',
  no_mac:
    'The SSH server allows no MAC algorithm that we know. Add %{ours} to MACs in its sshd_config, reload sshd, then try again.',
  key_refused:
    'The server refused our key for root. Run the script shown below on it. If you have, its sshd_config may keep root out: set PermitRootLogin to prohibit-password, add root to AllowUsers and AllowGroups if these lines are there, and take root out of DenyUsers and DenyGroups. /root/.ssh/authorized_keys must belong to root, and nobody else may write to it. Reload sshd, then try again.',
  key_alone:
    'The server accepts our key but asks for more (%{methods}), which we cannot give. Add the lines "Match User root" and "AuthenticationMethods publickey" at the end of its sshd_config, reload sshd, then try again.',
  no_keys:
    'The server lets root log in only without a key. Set PubkeyAuthentication to yes in its sshd_config, and AuthenticationMethods to publickey for root if that line is there. Reload sshd, then try again.',
  odd_answer:
    'Our check did not run on the server, which answered: %{words}. If the login of root is bound to a command, remove it: command="..." before our key in /root/.ssh/authorized_keys, or ForceCommand in sshd_config. Then try again.',
  host_key_changed:
    "The server's identity changed since last time. If you reinstalled it, check it again to accept the new one.",
  host_key_confirmed: 'You have confirmed the new identity of this server. Its deployment accepts it from now on.',
  files: 'The server does not let us write files. Its disk may be full or read-only.',
  answers: 'The server answers on port %{port}.',
  key_taken: 'The server accepts our key.',
  free: 'No other deployment runs on it.',
  /** Where no package is chosen yet. */
  the_package: 'The package',
  unfit: 'This server does not meet the needs of the package.',

  root: 'We need root or password-less sudo.',
  os: 'Ubuntu 22.04/24.04 or Debian 12 is needed; found %{found}.',
  arch: 'Unsupported processor: %{found}.',
  virtualisation: 'This server is a container (%{found}); some features of the kernel may be missing.',
  wireguard: 'This kernel has no WireGuard.',
  cpu: '%{package} needs %{wanted} processors; %{found} found.',
  memory: '%{package} needs %{wanted} MB of memory; %{found} MB found.',
  disk: '%{package} needs %{wanted} GB of free disk; %{found} GB found.',
  port_container: 'Port %{rule} is used by another container. Stop it first (sudo docker ps shows which).',
  port: 'Port %{rule} is used by %{program}. Stop it first (e.g. sudo systemctl disable --now %{program}).',
  docker_snap: 'Docker from snap is not supported.',
  docker_silent: 'Docker is installed but does not answer. Start it first.',
  docker_old: 'Docker %{found} is too old (%{wanted} or newer is needed).',
  compose_missing: 'The Docker Compose plugin is missing (package docker-compose-plugin).',
  compose_old: 'Docker Compose %{found} is too old (%{wanted} or newer is needed).',
  names: 'A container named %{found} is already here. Remove or rename it first.',
  folder: '%{found} is already there: the software seems to be installed here. Remove it or move it away first.',
  root_login:
    '%{package} manages its own server and logs in there as root by key, which sshd does not allow. Set PermitRootLogin to prohibit-password and PubkeyAuthentication to yes in sshd_config, reload sshd, and try again.',
  root_login_unknown: 'We could not see whether sshd lets root log in by key; the software needs that.',
  systemd: 'systemd is not running; after a reboot the containers may have to be started by hand.',
  time: 'The clock is wrong by %{found} seconds; certificates would be rejected.',
  outbound: 'The server cannot reach %{found}.',
  firewall: '%{found} is active; we will add rules for the ports of your package.',
  selinux: 'SELinux is enforcing; containers may be refused files.',
  fail2ban: 'fail2ban is running; let our address through if it blocks us.',
  reboot: 'The server waits for a reboot.',
  apt: 'The package manager is busy.',
});
