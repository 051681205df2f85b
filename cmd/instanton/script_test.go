package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// asProgram is set in the environment of this test binary to run it as instanton.
const asProgram = "INSTANTON_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(run())
	}
	testscript.Main(m, map[string]func(){"instanton": func() { os.Exit(run()) }})
}

// TestScripts runs the command line as a user does; see testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script"})
}
