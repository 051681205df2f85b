package rbm_test

import (
	"os/exec"
	"strconv"
	"testing"
)

// numpy returns a Python that has numpy, or skips the test.
func numpy(t *testing.T) string {
	t.Helper()
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import numpy").Run() == nil {
			return python
		}
	}
	t.Skip("no python3 with numpy on this machine")
	return ""
}

func formatFloat(x float64) string { return strconv.FormatFloat(x, 'g', 17, 64) }
