package browser

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// The report of some figures of the paper opens without an error, a request to anywhere, a
// broken image or sideways scrolling, on a desk and on a phone, light and dark.
func TestReportOpens(t *testing.T) {
	path := paperReport(t)
	ctx := start(t)
	complaints := listen(ctx)
	for _, screen := range []struct {
		name          string
		width, height int64
		scheme        string
	}{{"desk", 1280, 900, "light"}, {"desk", 1280, 900, "dark"}, {"phone", 390, 844, "light"}, {"phone", 390, 844,
		"dark"}} {
		var page struct {
			Title                   string
			Images, Broken, Figures int
			Wide                    int
			Background              string
			Dead, Folded, Hidden    int // links that lead nowhere; folded claims; those of them that are hidden
			Cut                     int // tables that neither fit nor can be scrolled
		}
		err := chromedp.Run(ctx,
			network.Enable(), log.Enable(), runtime.Enable(),
			chromedp.EmulateViewport(screen.width, screen.height),
			emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme",
				Value: screen.scheme}}),
			chromedp.Navigate(path),
			chromedp.WaitReady("body"),
			chromedp.Evaluate(`({
				Title: document.title,
				Images: document.images.length,
				Broken: [...document.images].filter(i => !(i.complete && i.naturalWidth > 0)).length,
				Figures: document.querySelectorAll('figure').length,
				Wide: document.documentElement.scrollWidth - window.innerWidth,
				Background: getComputedStyle(document.body).backgroundColor,
				Dead: [...document.querySelectorAll('a')].filter(a => !document.getElementById(a.hash.slice(1))).length,
				Folded: document.querySelectorAll('main > details li').length,
				Hidden: [...document.querySelectorAll('main > details li')].filter(e => !e.checkVisibility()).length,
				Cut: [...document.querySelectorAll('table')].filter(e =>
					e.offsetWidth > e.parentElement.clientWidth &&
					getComputedStyle(e.parentElement).overflowX !== 'auto').length,
			})`, &page))
		if err != nil {
			t.Fatalf("%s, %s: %v", screen.name, screen.scheme, err)
		}
		if page.Title == "" || page.Figures == 0 || page.Broken > 0 {
			t.Errorf("%s, %s: %+v, want a title and figures, none broken", screen.name, screen.scheme, page)
		}
		if page.Dead > 0 || page.Folded == 0 || page.Hidden != page.Folded || page.Cut > 0 {
			t.Errorf("%s, %s: %+v, want links that lead somewhere, claims that are folded, and no table cut off",
				screen.name, screen.scheme, page)
		}
		var seen bool // a click unfolds them, without a script
		if err := chromedp.Run(ctx, chromedp.Click("main > details > summary"),
			chromedp.Evaluate(`document.querySelector('main > details li').checkVisibility()`, &seen)); err != nil ||
			!seen {
			t.Errorf("%s, %s: claims cannot be unfolded: %v", screen.name, screen.scheme, err)
		}
		if page.Wide > 0 {
			t.Errorf("%s, %s: the page is %d pixels wider than the screen", screen.name, screen.scheme, page.Wide)
		}
		if dark := brightness(t, page.Background) < 128; dark != (screen.scheme == "dark") {
			t.Errorf("%s, %s: the background is %s", screen.name, screen.scheme, page.Background)
		}
	}
	for _, c := range complaints() {
		t.Error(c)
	}
}

// paperReport makes two quick figures and returns the address of their report.
func paperReport(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "instanton")
	build := exec.Command("go", "build", "-o", program, "./cmd/instanton")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out := filepath.Join(dir, "paper")
	if text, err := exec.Command(program, "paper", "fig-algo", "fig-model", "fig-mh", "--quick", "--quiet", "--out",
		out).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return (&url.URL{Scheme: "file", Path: filepath.Join(out, "report.html")}).String()
}

// start opens a browser that makes no requests of its own.
func start(t *testing.T) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium here")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path),
		chromedp.UserDataDir(profile(t)),
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update",
			true), chromedp.Flag("disable-sync", true), chromedp.DisableGPU)
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return ctx
}

// listen collects errors of the page, and requests other than for the file and what is inlined in it.
func listen(ctx context.Context) func() []string {
	var mu sync.Mutex
	var list []string
	add := func(format string, args ...any) {
		mu.Lock()
		defer mu.Unlock()
		list = append(list, fmt.Sprintf(format, args...))
	}
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			add("exception: %s", e.ExceptionDetails.Error())
		case *log.EventEntryAdded:
			add("%s: %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL)
		case *network.EventRequestWillBeSent:
			if u := e.Request.URL; !strings.HasPrefix(u, "file:") && !strings.HasPrefix(u, "data:") {
				add("a request to %s", u)
			}
		case *network.EventLoadingFailed:
			add("loading failed: %s", e.ErrorText)
		}
	})
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return list
	}
}

// brightness is the mean of the three colours of rgb(…).
func brightness(t *testing.T, colour string) int {
	t.Helper()
	var r, g, b int
	if _, err := fmt.Sscanf(strings.NewReplacer("rgba", "rgb", ",", " ").Replace(colour), "rgb(%d %d %d", &r, &g,
		&b); err != nil {
		t.Fatalf("colour %q: %v", colour, err)
	}
	return (r + g + b) / 3
}

// profile is a folder for the browser, which may still write to it while it ends: that it cannot be removed at once is
// no error.
func profile(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "instanton-browser-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 20 {
			if os.RemoveAll(dir) == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	return dir
}
