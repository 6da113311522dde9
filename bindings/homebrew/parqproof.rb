class Parqproof < Formula
  desc "Strict referee of the Apache Parquet format"
  homepage "https://github.com/parqproof/parqproof"
  url "https://github.com/parqproof/parqproof/releases/download/v@VERSION@/parqproof-@VERSION@-linux-x86_64.tar.gz"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on arch: :x86_64
  depends_on :linux

  def install
    bin.install "parqproof"
    prefix.install "LICENSE", "THIRD-PARTY-NOTICES.txt"
    man1.install "parqproof.1"
    bash_completion.install "completions/parqproof.bash" => "parqproof"
    zsh_completion.install "completions/_parqproof"
    fish_completion.install "completions/parqproof.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/parqproof --version")
    assert_match "page/v2-num-nulls", shell_output("#{bin}/parqproof explain page/v2-num-nulls")
  end
end
