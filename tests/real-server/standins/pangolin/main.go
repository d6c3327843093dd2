// Stand-in for Pangolin, with its ports, its health check, its first-admin calls and an empty configuration for Traefik.
// It stores its data in config/db, so that it survives a restart. It proxies nothing and tunnels nothing.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"sync"
)

const stateFile = "/app/config/db/stand-in.json"

type admin struct {
	Email    string `json:"email"`
	Password string `json:"password"`
}

var (
	lock       sync.Mutex
	firstAdmin *admin
	tokenShape = regexp.MustCompile(`^[a-z0-9]{32}$`)
	classes    = []*regexp.Regexp{regexp.MustCompile(`[a-z]`), regexp.MustCompile(`[A-Z]`),
		regexp.MustCompile(`[0-9]`), regexp.MustCompile(`[#?!@$%^&*-]`)}
)

func main() {
	setupToken := os.Getenv("PANGOLIN_SETUP_TOKEN")
	if setupToken != "" && !tokenShape.MatchString(setupToken) {
		log.Fatal("PANGOLIN_SETUP_TOKEN must be 32 characters of a-z and 0-9")
	}
	if err := load(); err != nil {
		log.Fatal(err)
	}
	errs := make(chan error)
	for address, handler := range map[string]http.Handler{
		":3000": external(setupToken), ":3001": internal(), ":3002": pages(),
	} {
		go func(address string, handler http.Handler) { errs <- http.ListenAndServe(address, handler) }(address, handler)
	}
	log.Print("pangolin stand-in: listening on 3000 (API), 3001 (internal), 3002 (pages)")
	log.Fatal(<-errs)
}

func internal() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/api/v1/", healthy)
	mux.HandleFunc("/api/v1/traefik-config", func(w http.ResponseWriter, r *http.Request) { send(w, 200, map[string]any{}) })
	return mux
}

func external(setupToken string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/api/v1/", healthy)
	mux.HandleFunc("/api/v1/auth/initial-setup-complete", func(w http.ResponseWriter, r *http.Request) {
		lock.Lock()
		defer lock.Unlock()
		answer(w, 200, map[string]any{"complete": firstAdmin != nil}, "Initial setup check complete")
	})
	mux.HandleFunc("/api/v1/auth/set-server-admin", only(http.MethodPut, func(w http.ResponseWriter, r *http.Request) {
		var asked struct {
			admin
			SetupToken string `json:"setupToken"`
		}
		if json.NewDecoder(r.Body).Decode(&asked) != nil || asked.Email == "" {
			answer(w, 400, nil, "Invalid request body")
			return
		}
		lock.Lock()
		defer lock.Unlock()
		switch {
		case firstAdmin != nil:
			answer(w, 400, nil, "Server admin already exists")
		case setupToken == "" || asked.SetupToken != setupToken:
			answer(w, 400, nil, "Invalid setup token")
		case !strong(asked.Password):
			answer(w, 400, nil, "Your password must meet the following conditions: at least 8 characters, one uppercase, one lowercase, one digit, one special character")
		default:
			if err := save(asked.admin); err != nil {
				answer(w, 500, nil, err.Error())
				return
			}
			firstAdmin = &asked.admin
			answer(w, 200, nil, "Server admin set successfully")
		}
	}))
	mux.HandleFunc("/api/v1/auth/login", only(http.MethodPost, func(w http.ResponseWriter, r *http.Request) {
		var asked admin
		json.NewDecoder(r.Body).Decode(&asked)
		lock.Lock()
		defer lock.Unlock()
		if firstAdmin == nil || asked != *firstAdmin {
			answer(w, 401, nil, "Username or password is incorrect")
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "p_session_token", Value: "stand-in", Path: "/", Secure: true, HttpOnly: true})
		answer(w, 200, nil, "Logged in successfully")
	}))
	return mux
}

func pages() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lock.Lock()
		complete := firstAdmin != nil
		lock.Unlock()
		first := "/auth/initial-setup"
		if complete {
			first = "/auth/login"
		}
		if r.URL.Path != first {
			http.Redirect(w, r, first, http.StatusTemporaryRedirect)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write([]byte("<!doctype html><title>Pangolin stand-in</title><h1>Pangolin stand-in</h1>\n"))
	})
}

func healthy(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/api/v1/" {
		answer(w, 404, nil, "The requested resource was not found")
		return
	}
	send(w, 200, map[string]any{"message": "Healthy"})
}

// The real API refuses calls with side effects without this header.
func only(method string, then http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Method != method {
			answer(w, 404, nil, "The requested resource was not found")
			return
		}
		if r.Header.Get("X-CSRF-Token") != "x-csrf-protection" {
			answer(w, 403, nil, "CSRF token missing or invalid")
			return
		}
		then(w, r)
	}
}

func strong(password string) bool {
	for _, class := range classes {
		if !class.MatchString(password) {
			return false
		}
	}
	return len(password) >= 8
}

func answer(w http.ResponseWriter, status int, data any, message string) {
	send(w, status, map[string]any{"data": data, "success": status < 400, "error": status >= 400, "message": message, "status": status})
}

func send(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

func load() error {
	bytes, err := os.ReadFile(stateFile)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return json.Unmarshal(bytes, &firstAdmin)
}

func save(a admin) error {
	bytes, err := json.Marshal(a)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(stateFile), 0o700); err != nil {
		return err
	}
	return os.WriteFile(stateFile, bytes, 0o600)
}
